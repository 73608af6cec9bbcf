"""Which use of an ambiguous form is the usual one: "lives" is a verb, "gloves" a noun. Lists only.

A dictionary knows that both can be either; these lists are the prior that decides when the grammar
allows both.
"""

from __future__ import annotations

from ibr.logic.words import words

# Verbs whose forms are far more often verbs than nouns or adjectives.
VERBS = words(
    """accept access achieve act add admit affect agree aim allow answer appear apply approve argue
    arrange arrive ask assign assist attend avoid be bear beat become begin believe belong block
    borrow break bring build buy call cancel carry catch cause change charge chase check choose
    claim clean climb close collect come commit compete complete comply conduct confirm connect
    consider consist contact contain continue contribute control cook cost count cover create cross
    cut deal decide defend deliver demand deny depend describe deserve design destroy develop die
    disarm discover discuss display do draw dress drink drive drop earn eat elect enable encourage
    end enjoy enrol enroll ensure enter establish exceed exist expect expire explain express extend
    face fail fall fear feed feel fetch fight fill find finish fit fix fly follow forget forgive
    gain get give go grant greet grow guess handle hang happen hate have head hear help hide hire
    hit hold hope hunt hurt identify ignore improve include inform insist inspect insure intend
    introduce invest invite involve join jump keep kill know lack last laugh lay lead learn leave
    lend let lie like listen live look lose love maintain make manage matter mean measure meet
    mention mind miss move need notice notify obey observe obtain occur offer open operate order
    organise organize outrank owe own park participate pass pay perform permit persuade place plan
    play point possess prefer prepare present prevent process produce promise promote propose
    protect prove provide publish pull purchase push put qualify raise reach read realise realize
    receive recognise recognize recommend record reduce refer refuse register reject relate release
    remain remember remove renew rent repair repeat replace reply report represent request require
    reserve resign respect respond rest return reveal ride ring rise run save say see seek seem sell
    send serve set settle share shoot shop show shut sign sing sit sleep smell smile smoke solve
    speak spend sponsor stand start state stay steal stop study submit succeed suffer suggest supply
    support suppose survive swim take talk teach tell tend test thank think threaten throw touch
    train travel treat try turn understand upload use vary violate visit volunteer vote wait wake
    sail ski skate paint dance bake knit type dive row hike camp juggle scuba leave board evacuate
    walk want warn wash watch water wear win wish wonder work worry write yield"""
)

# Nouns whose verb is rare, though their spelling is in the list above.
NOUNS = words(
    """access answer charge check claim contact control cost demand design display end face head
    hope measure mind notice offer order park place plan point present process promise record report
    request respect rest ring share shop sign state study supply support test train water rent
    permit fear water"""
)

# Adverbs first, though a dictionary has them as nouns or adjectives too.
ADVERBS = words(
    """extra home late early online free first last fast hard well right daily weekly monthly yearly
    today tomorrow yesterday tonight overnight full-time part-time twice away abroad alone half
    straight double off-site on-site"""
)

# Things that rulebooks speak of: as a first word without an article they are no names.
THINGS = words(
    """access account address agreement airport alarm animal apartment appeal appliance application
    appointment area article assignment award badge bag ball band bank bar basement bathroom battery
    bay beach bed bedroom bell bicycle bike bird block board boat body bonus book booking booth
    bottle box branch bridge budget building bus business button cabin cabinet cable cafe camera
    campus canteen car card cart case cat cell centre certificate chair chapter charge chart check
    church cinema claim class classroom clinic clock club coach coat code college committee company
    complaint computer concert contract copy corner corridor council counter country county course
    court cup customer cycle data date day deadline deal degree department deposit desk device dish
    district doctor document dog door dormitory drawer dress drink drive drug elevator email engine
    entrance entry envelope equipment event exam exit expense factory family farm fee fence field
    file film fine fire firm flag flat flight floor folder form fridge game garage garden gate gift
    glass goal grade grant group gym hall hand harbour hat head helmet hospital hotel hour house
    identity idea infection insurance interview invoice island item jacket job kennel key kitchen
    lab label laboratory lake lamp land laptop law lawn leaflet league lease lecture lesson letter
    library licence license lift light line link list loan lobby lock locker log lounge luggage
    machine mail map market mask match meal medal medicine meeting menu message minute model module
    month museum name network night note notice number nurse offer office order oven package page
    paper parcel park part party pass passport password path patient payment pen pension permit
    person pet phone photo picture piece pilot pipe plan plane plant plate play plot police policy
    pool port post prescription price printer prize problem procedure process product profile
    programme project proof proposal pump purchase queue question quiz race radio railway ramp rate
    receipt record refund region registration remedy rent repair report request reservation
    resource restaurant result return review ride river road roof room route rule sale salary sample
    sauna scheme school score screen seat section sensor service session shelf shelter ship shipment
    shirt shoe shop shower sign signal site size skill slot snack software speed sport stadium stage
    stall stand statement station statue step stock store street studio study subject submission
    subscription sum supply surface surgery survey switch symbol system table tank tap target task
    tax taxi team television tenancy tent term terminal terrace test text theatre ticket timetable
    title toilet tool topic tour towel tower town toy track tractor trade trail train transfer
    transport tray treatment tree trial trip truck tube tunnel tyre uniform union unit university
    vaccine van vehicle venue version video village visa visit voucher wage wall ward warehouse
    warning washer watch website week wheel window wine wing wire workshop yard year zone"""
)
