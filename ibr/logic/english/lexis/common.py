"""Which use of an ambiguous form is the usual one: "lives" is a verb, "gloves" a noun. Lists only.

A dictionary knows that both can be either; these lists are the prior that decides when the grammar
allows both.
"""

from __future__ import annotations

from ibr.logic.words import words

# Verbs whose forms are far more often verbs than nouns or adjectives.
VERBS = words(
    """abandon abolish absorb accelerate accept access accompany accomplish accumulate accuse
    achieve acknowledge acquire act activate adapt add adjust administer admire admit adopt
    advertise advise affect afford agree aim allege allocate allow alter amend announce annoy
    answer anticipate apologise appeal appear apply appoint appreciate approve argue arrange
    arrest arrive ask assemble assert assess assign assist assume assure attach attack attain
    attend attract authorise authorize avoid award bake ban bark bathe be bear beat become begin
    believe belong bite blame blend block board boil borrow bother bounce break breathe breed
    bring broadcast browse build burn bury buy calculate call camp cancel capture carry carve
    catch cause celebrate certify change charge chase check chew choose chop circulate cite
    claim clarify classify clean climb cling close collapse collect combine come comment commit
    communicate compare compensate compete complain complete comply compose comprise conceal
    concentrate conclude condemn conduct confess confirm confiscate confuse connect conserve
    consider consist construct consult consume contact contain contest continue contribute
    control convert convict convince cook cooperate coordinate copy correct correspond cost
    count cover crash crawl create cross cultivate cut dance deal decay deceive decide declare
    decline decorate dedicate deduct defeat defend defer define delay delegate delete deliver
    demand demonstrate deny depart depend deposit derive descend describe deserve design destroy
    detect deter determine develop devote die differ dig dine disagree disappear disarm disclose
    disconnect discourage discover discuss dismiss disobey display dispose disrupt dissolve
    distribute disturb dive divide do donate download drag drain draw dress drink drive drop
    drown earn eat edit educate eject elect eliminate emerge emit emphasise employ enable
    encounter encourage end endorse enforce engage enjoy enlist enquire enrol enroll ensure
    enter erase escape escort establish estimate evacuate evaluate evict examine exceed exclude
    excuse execute exempt exercise exhibit exist expand expect expel expire explain explode
    explore expose express extend extract face fade fail faint fall fear feed feel fetch fight
    fill find finish fit fix flee float fly fold follow forbid force foresee forget forgive
    freeze frighten fry fulfil function furnish gain gather generate get give glow go govern
    grab graduate grant greet grind groom grow guard guess guide halt handle hang happen harm
    harvest hate have head heal hear heat help hesitate hide hike hire hit hold hope host hug
    hunt hurt identify ignore illustrate imagine imitate implement imply import impose impress
    imprison improve include indicate infect influence inform inhabit inhale inherit initiate
    inject injure inquire insert insist inspect install instruct insult insure integrate intend
    interfere interpret interrupt intervene interview introduce invade invent invest investigate
    invite involve isolate issue join judge juggle jump justify keep kick kill kneel knit knock
    know label lack land last laugh launch lay lead leak lean leap learn leave lend let license
    lie lift like limit link listen live load locate lock look lose love maintain make manage
    manufacture mark marry match matter mean measure meet melt mention merge mind miss mix
    modify monitor motivate move multiply name navigate need neglect negotiate nominate note
    notice notify obey object oblige observe obstruct obtain occupy occur offend offer omit open
    operate oppose order organise organize outrank overcome overlook oversee overtake owe own
    paint park participate pass pay perceive perform permit persist persuade phone pick place
    plan plant play plead pluck point polish possess post postpone pour praise pray predict
    prefer prepare prescribe present preserve press pretend prevail prevent print proceed
    process proclaim produce progress prohibit promise promote pronounce propose prosecute
    protect prove provide publish pull punish purchase pursue push put qualify question quit
    quote race raise rank rate reach react read realise realize reassure rebuild recall receive
    recite reclaim recognise recognize recommend record recover recruit recycle redeem reduce
    refer refill reflect refuel refund refuse register regret regulate reimburse reject relate
    relax release rely remain remember remind remove render renew rent reopen repair repeat
    replace reply report represent reproduce request require rescue reserve reset reside resign
    resist resolve respect respond rest restore restrict resume retain retire retrieve return
    reuse reveal review revise revoke reward ride ring rise rob roll row rule run rush sail
    satisfy save say scan scare schedule score scratch scream screen scuba seal search see seek
    seem seize select sell send separate serve set settle shake share shave shelter shift shine
    ship shoot shop shout show shut sign signal sing sink sit skate ski sleep slide slip smash
    smell smile smoke sneeze solve sort speak spell spend spill spin split spoil sponsor spread
    squeeze stamp stand stare start state stay steal steer stick stimulate sting stir stop store
    strengthen stretch strike struggle study sublet submit subscribe subtract succeed sue suffer
    suggest supervise supply support suppose surrender surround survive suspect suspend swear
    sweep swim swing switch tackle take talk taste tax teach tease tell tend terminate test
    thank thaw think threaten throw tolerate touch trace track trade train transfer transform
    translate transmit transport trap travel treat trim trust try turn twist type undergo
    understand undertake undo unload unlock update upgrade upload urge use vacate vaccinate
    validate value vanish vary verify view violate visit volunteer vote wait waive wake walk
    want warn wash watch water weaken wear weigh welcome whisper widen win wish withdraw witness
    wonder work worry worship write yell yield"""
)

# Forms of the list above that are about as often nouns.
NOUNS = words(
    """access answer appeal attack award charge check claim comment contact contest control copy
    cost delay demand deposit design display end exercise face fear guard guide head heat hope
    host influence interview issue judge label land lead license lift limit link load lock mark
    match measure mind name note notice object offer order park permit phone place plan plant
    point post present press print process progress promise question quote race rank rate record
    refund rent report request respect rest review reward ring rule scan schedule score screen
    seal search share shelter shift ship shop sign signal sort stamp state store strike study
    supply support switch taste tax test trace track trade train transfer transport trap trust
    update upgrade value view water welcome witness"""
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
    church cinema claim class classroom clinic clock club coat code college committee company
    complaint computer concert contract copy corner corridor council counter country county course
    court cup cycle data date day deadline deal degree department deposit desk device dish
    district document dog door dormitory drawer dress drink drive drug elevator email engine
    entrance entry envelope equipment event exam exit expense factory family farm fee fence field
    file film fine fire firm flag flat flight floor folder form fridge game garage garden gate gift
    glass goal grade grant group gym hall hand harbour hat head helmet hospital hotel hour house
    identity idea infection insurance interview invoice island item jacket job kennel key kitchen
    lab label laboratory lake lamp land laptop law lawn leaflet league lease lecture lesson letter
    library licence license lift light line link list loan lobby lock locker log lounge luggage
    machine mail map market mask match meal medal medicine meeting menu message minute model module
    month museum name network night note notice number offer office order oven package page
    paper parcel park part party pass passport password path payment pen pension permit
    pet phone photo picture piece pipe plan plane plant plate play plot policy
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

# Plurals that stand before a noun: "a customs form".
PLURAL_MODIFIERS = words(
    """accounts admissions affairs arms arts careers civics clothes communications contents customs
    data drinks earnings electronics events games goods grounds graphics human-resources jobs
    logistics mathematics maths media news operations parts physics plans premises products
    programs publications records relations resources rewards sales savings sciences securities
    services settings skills sports standards statistics systems teachers telecommunications trades
    trousers visitors weapons women works"""
)
