"""Constructions of everyday English, each with the verdicts that are right for it."""

from __future__ import annotations

import pytest

import ibr

CERTIFIED = [
    # generic passives
    ("Mice are eaten by owls. Hedwig is an owl.", "Does Hedwig eat mice?", "yes"),
    ("Mice are eaten by owls.", "Do mice eat owls?", "not shown"),
    ("Dogs may not be fed by guests. Eve is a guest.", "May Eve feed dogs?", "no"),
    ("Lunch is cooked by the pupils. Tim is a pupil.", "Does Tim cook lunch?", "yes"),
    # whose, and roles that have a converse
    ("Eva is the daughter of Paul. Anyone whose daughter sings is proud. Eva sings.",
     "Is Paul proud?", "yes"),
    ("Tom has a dog called Rex. Anyone whose dog barks must pay. Rex barks.",
     "Must Tom pay?", "yes"),
    ("Mrs Sand is the mother of Luis.", "Is Luis a child of Mrs Sand?", "yes"),
    ("Nora has a son. Every parent gets a letter.", "Does Nora get a letter?", "yes"),
    ("Kim is a neighbour of Ben.", "Is Ben a neighbour of Kim?", "yes"),
    ("Ana and Luz are sisters.", "Is Luz Ana's sister?", "yes"),
    # they, each of them
    ("Ana and Luz are pupils. Each of them has a horse.", "Does Ana have a horse?", "yes"),
    ("Tom and Ann are tall. Neither of them is rich.", "Is Ann rich?", "no"),
    ("Jan and Mieke are friends. They live in Rome.", "Does Mieke live in Rome?", "yes"),
    ("Tom's nets are old. They are wet.", "Is Tom wet?", "not shown"),
    ("Elif's sandals are shoes, and they're dirty. Dirty shoes stay outside.",
     "Do Elif's sandals stay outside?", "yes"),
    # "it" is what a sentence is about, "she" nobody whom the same clause names
    ("The box on the table is red. It is heavy.", "Is the table heavy?", "not shown"),
    ("There is a crack in the cup. It is deep.", "Is the cup deep?", "not shown"),
    ("There is a dog in the garden. It barks. Whoever barks must leave.",
     "Must the dog leave?", "yes"),
    ("The clerk may ask the manager. She does not know the manager.",
     "Does the clerk know the manager?", "no"),
    ("The knight is strong, but he is no ghost. Only ghosts can fly.",
     "Can the knight fly?", "no"),
    # only at a time, except at a time
    ("The clock rings only on school days. Today is not a school day.",
     "Does the clock ring today?", "no"),
    ("The shop is only open on Sundays. Today is Monday.", "Is the shop open?", "no"),
    ("Anna works only in the morning. It is morning.", "Does Anna work?", "yes"),
    ("Members may park only on Sundays. Tom is a member. Today is Sunday.",
     "May Tom park?", "not shown"),
    ("The bakery takes cards except on market days. Today is a market day.",
     "Does the bakery take cards?", "no"),
    ("The bakery is open every day except Monday. Today is Monday.",
     "Is the bakery open today?", "no"),
    ("Dogs are not allowed on the beach except in winter. It is winter. Rex is a dog.",
     "Is Rex allowed on the beach?", "yes"),
    # until, before: of what may not be done
    ("Tom may not enter until he has paid. Tom has not paid.", "May Tom enter?", "no"),
    ("Nobody may leave until the bell rings. The bell does not ring. Tom is a boy.",
     "May Tom leave?", "no"),
    ("Guests may not eat before the host eats. Tom is a guest. The host does not eat.",
     "May Tom eat?", "no"),
    # one, another, the first, the second
    ("If one pupil helps another, the second calls the first. Ari and Bel are pupils. "
     "Ari helps Bel.", "Does Bel call Ari?", "yes"),
    ("If a player beats another, the first gets a point. Tom and Ann are players. Tom beats Ann.",
     "Does Tom get a point?", "yes"),
    ("Whoever hits another child must leave. Mia hits a ball.", "Must Mia leave?", "not shown"),
    ("Whoever has another job must leave. Tom has a job.", "Must Tom leave?", "not shown"),
    ("Tom is ill.", "So is Tom ill?", "yes"),
    # of nobody either of two is true; nor; every … and every …
    ("Nobody may eat or drink in the lab. Ann is a visitor.", "May Ann drink in the lab?", "no"),
    ("No visitor may feed the otters or the seals. Ann is a visitor.",
     "May Ann feed the seals?", "no"),
    ("Pia does not eat meat, nor does she drink milk.", "Does Pia drink milk?", "no"),
    ("Tom is not tall, nor is Ann.", "Is Ann tall?", "no"),
    ("Every boy and every girl learns to swim. Ahmed is a boy.",
     "Does Ahmed learn to swim?", "yes"),
    ("No cat and no dog has a chip. Rex is a dog.", "Does Rex have a chip?", "no"),
    # words that are set off, places after a comma
    ("Dogs, however, may not enter. Rex is a dog.", "May Rex enter?", "no"),
    ("Ann, too, is late.", "Is Ann late?", "yes"),
    ("Tom is at the table, next to Ann. Nobody at the table is late.", "Is Tom late?", "no"),
    ("Bed four is by the window. Every bed by the window has a lamp.",
     "Does bed four have a lamp?", "yes"),
    # something … it
    ("Something is a dawp if, and only if, it is wet. Nim is not wet.", "Is Nim a dawp?", "no"),
    # Ann's is the same thing of Ann; both of them; one of two, never both
    ("Tom's car is faster than Ann's.", "Is Tom's car faster than Ann's car?", "yes"),
    ("Anybody whose score is higher than Ida's moves up. Al's score is higher than Ida's.",
     "Does Al move up?", "yes"),
    ("My sister's room is bigger than mine.", "Is my room bigger than my sister's room?", "no"),
    ("Tom and Ann are twins. Neither likes cake.", "Does Ann like cake?", "no"),
    ("Coco and Jambo are parrots. Both have been fed.", "Has Jambo been fed?", "yes"),
    ("A tower is either whole or ruined, never both. The north tower is a tower. It is ruined.",
     "Is the north tower whole?", "no"),
    # each of hers, and at the baker's; a pet by its kind
    ("Children whose parents work late stay here. Zoe is a child. Both of her parents work late.",
     "Does Zoe stay here?", "cannot say"),
    ("Ann sings. Kim is one of her friends.", "Is Kim a friend of Ann?", "yes"),
    ("The flat above the baker's belongs to Mr Haddad. Whoever owns a flat pays.",
     "Does Mr Haddad pay?", "yes"),
    ("Ann's pet is a cat. Ann's cat is ill.", "Is Ann's pet ill?", "yes"),
    ("Smoking is forbidden in all of my houses. The mill is one of my houses. Tom is a guest.",
     "May Tom smoke in the mill?", "no"),
    ('The file called "holiday list" has a red tag. Files with a red tag are old.',
     'Is the file called "holiday list" old?', "yes"),
    # who stands at a place is there; one for each; not even …
    ("The hut is a shed; it stands next to the pond. Every shed next to the pond is dry.",
     "Is the hut dry?", "yes"),
    ("Tom may sit at the table. Whoever is at the table is late.", "Is Tom late?", "not shown"),
    ("A slip is given to every child who comes in after the bell. Tomasz is a child. Tomasz comes "
     "in after the bell.", "Is Tomasz given a slip?", "yes"),
    ("Nobody may enter the lab, not even the cleaner. Ida is the cleaner.",
     "May Ida enter the lab?", "no"),
    ("Whoever is dipping pretzels in oil wears gloves. Anne is dipping pretzels in oil.",
     "Does Anne wear gloves?", "yes"),
    ("Whoever sings gets ice cream. Amira sings.", "Does Amira get ice cream?", "yes"),
    ("Frogs live both on land and in water.", "Do frogs live on land?", "yes"),
    ("House rule: pets are not allowed upstairs. Waffles is a pet.",
     "Is Waffles allowed upstairs?", "no"),
    ("Tom paints the door green.", "Does Tom paint the door?", "yes"),
    # comparisons and places
    ("Tom is older than Ann. Ann is older than Bob.", "Is Bob younger than Tom?", "yes"),
    ("Tom is older than Ann. Bob is older than Ann.", "Is Tom older than Bob?", "not shown"),
    ("The key is in the box. The box is in the car.", "Is the key in the car?", "yes"),
    ("The dog is in the photo. The photo is in the drawer.",
     "Is the dog in the drawer?", "not shown"),
    # adjectives of people are conditions; titles are classes
    ("Tom is a cook. Careful people win.", "Does Tom win?", "not shown"),
    ("Judge Hill is late. Judges are rich.", "Is Hill rich?", "yes"),
    ("Everybody had soup but Cousin Albert.", "Did Cousin Albert have soup?", "no"),
    # forms of sentences
    ("Things made of iron rust. The gate is made of iron.", "Does the gate rust?", "yes"),
    ("Without a ticket nobody may enter. Greta has no ticket.", "May Greta enter?", "no"),
    ("Animals that eat only plants are called herbivores. Thumper is an animal that eats only "
     "plants.", "Is Thumper a herbivore?", "yes"),
    ("All premium users see no adverts. Olaf sees adverts.", "Is Olaf a premium user?", "no"),
    ("Today Pavel is the dealer. The dealer shuffles the cards.",
     "Does Pavel shuffle the cards?", "yes"),
    ("The red car is Ann's. Everyone who has a red car is happy.", "Is Ann happy?", "yes"),
    # questions about several at once
    ("Errol is a welder. Flavia is a welder. Welders wear masks.",
     "Do both Errol and Flavia wear masks?", "yes"),
    ("Godfrey is a welder. Hester is a painter. Welders wear masks.",
     "Do both Godfrey and Hester wear masks?", "not shown"),
    ("Godfrey is a welder. Hester is a painter. Welders wear masks. Painters do not wear masks.",
     "Do Godfrey and Hester wear masks?", "no"),
    ("Tom is tall. Tom is rich.", "Is Tom tall and rich?", "yes"),
    ("Tom is tall. Tom is not rich.", "Is Tom tall and rich?", "no"),
    ("Dogs are animals. Cats are animals.", "Are dogs and cats animals?", "yes"),
    ("Ana and Luz are sisters.", "Are Ana and Luz sisters?", "yes"),
    ("Tom has a dog and a cat.", "Does Tom have a dog and a cat?", "yes"),
    ("Tom has a dog.", "Does Tom have a dog and a cat?", "not shown"),
    # what follows a noun
    ("Bikes still under guarantee are repaired for free. The tandem was bought yesterday and"
     " is still under guarantee. The tandem is a bike.",
     "The tandem is repaired for free.", "yes"),
    ("Firefighters who are on call sleep at the station. Gwendolen is a firefighter, and she"
     " is on call.",
     "Does Gwendolen sleep at the station?", "yes"),
    ("The prompter, a man called Eustace, sits under the stage. Whoever sits under the stage"
     " wears black.",
     "Does Eustace wear black?", "yes"),
    ("All delivery vans in Belford are yellow. The van outside is yellow.",
     "Is the van outside a delivery van in Belford?", "not shown"),
    ("The postman handed Lydia a telegram. Everyone the postman handed a telegram to had to sign.",
     "Did Lydia have to sign?", "yes"),
    ("The postman handed Lydia a telegram. Everyone the postman handed a telegram to had to "
     "sign. Lydia's aunt lives upstairs.",
     "Did Lydia's aunt have to sign?", "not shown"),
    ("The room where the printer stands is always locked. The printer stands in room twelve.",
     "Is room twelve always locked?", "yes"),
    ("The room where the printer stands is always locked. The lamp stands in room twelve.",
     "Is room twelve always locked?", "not shown"),
    ("There is a piano in the hall. Rooms in which there is a piano have a carpet. The study"
     " is a room with a desk.",
     "Does the study have a carpet?", "not shown"),
    ("There is a piano in the hall. Rooms in which there is a piano have a carpet. The hall "
     "is a room.",
     "Does the hall have a carpet?", "yes"),
    ("Whatever a gorp touches turns green. Blit is a gorp. Blit touches the leaf.",
     "Does the leaf turn green?", "yes"),
    ("Mrs Oduya greets everyone she meets. Mrs Oduya meets Calum.",
     "Does Mrs Oduya greet Calum?", "yes"),
    ("Mrs Oduya greets everyone she meets. Mrs Bell meets Calum.",
     "Does Mrs Oduya greet Calum?", "not shown"),
    ("The older of the two sisters gets the big room. Irma is the older of the two sisters.",
     "Does Irma get the big room?", "yes"),
    # one, itself, each other, her
    ("Tobias has a red kayak. Ulrich has a green one. Green kayaks are stored upstairs.",
     "Is Ulrich's kayak stored upstairs?", "yes"),
    ("Tobias has a red kayak. Ulrich has a green one. Red kayaks are stored upstairs.",
     "Is Ulrich's kayak stored upstairs?", "not shown"),
    ("Tobias has a red kayak. Ulrich has a green one.", "Does Ulrich have a green kayak?", "yes"),
    ("Viggo and Wendell are neighbours. They help each other.", "Does Wendell help Viggo?", "yes"),
    ("Emil and Frida love each other.", "Does Frida love Emil?", "yes"),
    ("A machine that cleans itself is cheap to run. The new dishwasher is a machine. The new"
     " dishwasher cleans itself.",
     "Is the new dishwasher cheap to run?", "yes"),
    ("If the lead actress is ill, her understudy plays Ophelia. The lead actress is ill. "
     "Bridget is her understudy.",
     "Does Bridget play Ophelia?", "yes"),
    ("If the lead actress is ill, her understudy plays Ophelia. Bridget is her understudy. "
     "Bridget is ill.",
     "Does Bridget play Ophelia?", "not shown"),
    ("A customer whose order arrived broken is entitled to a new one. Fergus is a customer. "
     "His order arrived broken.",
     "Fergus is entitled to a new one.", "yes"),
    ("An employee's supervisor signs the employee's leave form. Cedric is an employee. "
     "Valentina is Cedric's supervisor.",
     "Does Valentina sign Cedric's leave form?", "yes"),
    ("An employee's supervisor signs the employee's leave form. Cedric is an employee. "
     "Valentina is Karl's supervisor.",
     "Does Valentina sign Cedric's leave form?", "not shown"),
    ("The disk is backed up at night unless it is full. The disk is full.",
     "Is the disk backed up at night?", "no"),
    ("Those who have a key to the shed must return it in autumn. Philippa has a key to the shed.",
     "Must Philippa return her key in autumn?", "yes"),
    ("A klim glows if and only if it is wet. Tasi is a klim. Tasi is not wet.",
     "Tasi glows.", "no"),
    # what is left out
    ("All firefighters must clean the hoses, but the chief need not. Emrys is the chief.",
     "Must Emrys clean the hoses?", "no"),
    ("Caravans get electricity, tents don't. The Millers have a caravan called Daisy.",
     "Does Daisy get electricity?", "yes"),
    ("Caravans get electricity, tents don't. The Millers have a tent called Daisy.",
     "Does Daisy get electricity?", "no"),
    # otherwise, instead of, in case of
    ("If you fail, you must wait; otherwise you may go. Tom does not fail.", "May Tom go?", "yes"),
    ("Students are expected to arrive early. Kai is a student.",
     "Is Kai expected to arrive early?", "yes"),
    ("If the door sign is green, you may walk in; otherwise you must knock. The door sign is"
     " not green.",
     "Must you knock?", "yes"),
    ("If the door sign is green, you may walk in; otherwise you must knock. The door sign is"
     " green.",
     "Must you knock?", "not shown"),
    ("You may walk in if the sign is green. Otherwise, you must knock. The sign is not green.",
     "Must you knock?", "yes"),
    ("In case of a storm, the boats do not leave the harbour. There is a storm.",
     "Do the boats leave the harbour?", "no"),
    ("In case of rain, we stay at home. It is raining.", "Do we stay at home?", "yes"),
    ("Roderick ordered soup instead of salad. Everyone who ordered salad got a fork.",
     "Did Roderick order salad?", "no"),
    ("If the light is green, the lift is free. Otherwise it is in use. The light is not green.",
     "Is the lift in use?", "yes"),
    # today, at night
    ("The ice rink is always crowded on Saturdays. Today is Saturday.",
     "Is the ice rink crowded today?", "yes"),
    ("The station cat is awake at night and sleeps by day. It is night now.",
     "Is the station cat awake now?", "yes"),
    ("Dogs may not enter on Sundays. Today is Sunday. Rex is a dog.", "May Rex enter?", "no"),
    ("It is winter. In winter the lake is frozen.", "Is the lake frozen?", "yes"),
    ("No trains stop at Milbury on bank holidays. Today is a bank holiday. The Comet is a train.",
     "Does the Comet stop at Milbury today?", "no"),
    ("On cloudy nights nobody observes. Tonight is a cloudy night. Yorick is in the group.",
     "Does Yorick observe tonight?", "no"),
    ("Whoever cooks dinner does not have to wash up. Tonight Solveig cooks dinner. Eamon "
     "sets the table.",
     "Does Solveig have to wash up tonight?", "no"),
    # only
    ("Cider is sold only to adults who have a card. Monty has no card.",
     "Is cider sold to Monty?", "no"),
    ("Cider is sold only to adults who have a card. Monty is an adult. Monty has a card.",
     "Is cider sold to Monty?", "not shown"),
    ("Cedric eats only vegetables. The sausage on his plate is not a vegetable.",
     "Does Cedric eat the sausage on his plate?", "no"),
    ("Cedric eats only vegetables.", "Does Cedric eat vegetables?", "yes"),
    ("Only the keeper and his daughter know the code. Enda is the keeper's daughter.",
     "Does Enda know the code?", "yes"),
    ("Only the keeper and his daughter know the code. Piers is neither the keeper nor his "
     "daughter.",
     "Does Piers know the code?", "no"),
    ("Only the mayor may open the gate. Tom is the mayor.", "May Tom open the gate?", "yes"),
    ("Only the mayor may open the gate. Tom is not the mayor.", "May Tom open the gate?", "no"),
    # lists
    ("Returns:\n"
     "- Unopened games can be returned.\n"
     "- Opened games cannot be returned.\n"
     "Moonrace is an opened game.",
     "Can Moonrace be returned?", "no"),
    ("The exam starts at nine.\n"
     "It is forbidden to bring these things into the exam room:\n"
     "- phones\n"
     "- dictionaries\n"
     "- smart watches",
     "Is it forbidden to bring phones into the exam room?", "yes"),
    ("The pottery course takes place in the studio.\n"
     "You need the following for the pottery course:\n"
     "- an apron\n"
     "- a sponge",
     "Do you need an apron for the pottery course?", "yes"),
    # forms of verbs and questions
    ("Swimmers have to shower before they enter the water. Tabitha is a swimmer.",
     "Tabitha has to shower before she enters the water.", "yes"),
    ("Swimmers have to shower before they enter the water. Tabitha is a swimmer.",
     "Did Tabitha shower?", "not shown"),
    ("Swimmers have to shower before entering the water. Tabitha is a swimmer.",
     "Does Tabitha have to shower before she enters the water?", "yes"),
    ("People with a cold ought to stay at home. Liesel has a headache.",
     "Ought Liesel to stay at home?", "not shown"),
    ("People with a cold ought to stay at home. Liesel has a cold.",
     "Ought Liesel to stay at home?", "yes"),
    ("Climbers must not go up the tall wall unless they have an instructor with them. "
     "Benedikt is a climber. He has no instructor with him.",
     "May Benedikt go up the tall wall?", "no"),
    ("The hens are inside because a fox is near. When the hens are inside, the yard is quiet.",
     "Is the yard quiet?", "yes"),
    ("Beehives standing in the shade produce less honey. Wilfred's beehive stands in the shade.",
     "Wilfred's beehive produces less honey.", "yes"),
    ("There is no more paper in the copier. When there is no paper in the copier, the orange"
     " lamp flashes.",
     "Does the orange lamp flash?", "yes"),
    ("There are three kittens in the hayloft. Their mother is in the barn.",
     "Are there any kittens in the hayloft?", "yes"),
    ("There is no milk in the jug.", "Is there any milk in the jug?", "no"),
    ("Flowers that are visited by bees produce seeds. The bluebell is a flower. Bees visit "
     "the bluebell.",
     "Does the bluebell produce seeds?", "yes"),
    ("Whatever eats the red berry falls asleep. The badger sees the red berry.",
     "Does the badger fall asleep?", "not shown"),
    ("Whatever eats the red berry falls asleep. The badger eats the red berry.",
     "Does the badger fall asleep?", "yes"),
    # nouns
    ("The plants on the windowsill need water every day. The fern is one of the plants on "
     "the windowsill.",
     "Does the fern need water every day?", "yes"),
    ("The plants on the windowsill need water every day. The cactus is a plant on the balcony.",
     "Does the cactus need water every day?", "not shown"),
    ("All the sheep but Daisy have been shorn. Clover is one of the sheep.",
     "Has Clover been shorn?", "yes"),
    ("If a person is vegetarian, the person gets the bean burger. Ceridwen is vegetarian.",
     "Does Ceridwen get the bean burger?", "yes"),
    ("Not everyone in the group owns needles. Lavinia is in the group.",
     "Does Lavinia own needles?", "not shown"),
]  # fmt: skip

OPEN = [
    ("The wife of the butcher, a Dane, speaks Dutch.", "Is the butcher a Dane?"),
    ("If Tom is ill, Ann drives. Eva sings. Otherwise, Bob drives. Tom is not ill.",
     "Does Bob drive?"),
    ("If Tom is ill, Ann drives. Late guests pay; otherwise Bob drives. Tom is not ill.",
     "Does Bob drive?"),
    # a size is of its kind
    ("Small animals fit into the basket. Jumbo is a small elephant.",
     "Does Jumbo fit into the basket?"),
    ("Every whale is an animal. No small animals may enter. The small whale is ill.",
     "May the small whale enter?"),
    # homonyms and names of things
    ("Seals eat fish. The seal on the letter is broken.", "Does the seal on the letter eat fish?"),
    ("The Tiger is a boat. Tigers bite.", "Does the Tiger bite?"),
    ("Our dog is called Nobody. Nobody sleeps on the sofa.", "Does our dog sleep on the sofa?"),
    ("Tom is a pupil. Both are tall.", "Is Tom tall?"),
    ("Tom, Ann and Bob are pupils. Both are tall.", "Is Ann tall?"),
    ("A red card beats a card that shows a sword. Ann's card is red. Bo's card shows a sword.",
     "Does Ann's card beat Bo's card?"),
    ("A person who is ill calls a person who can help. Tom is ill. Ann can help.",
     "Does Tom call Ann?"),
    ("Staff may leave early except on Fridays unless it is a holiday. Today is Friday. Today is "
     "a holiday. Emil is staff.", "May Emil leave early?"),
    ("Tom stands for justice.", "Is Tom for justice?"),
    ("Members are not obliged to stay, nor are they forbidden to. Rolf is a member.",
     "May Rolf stay?"),
    ("Tom is older than Ann's.", "Is Tom older than Ann?"),
    # a duty or a guess
    ("Ben must be at home.", "Is Ben required to be at home?"),
    ("Rolf may not come to the party.", "Is Rolf forbidden to come to the party?"),
    # and, or without brackets; who is meant
    ("Mona and Till or Ben are on duty.", "Is Mona on duty?"),
    ("Tom and Ann met Bob and Kim. They were late.", "Was Kim late?"),
    ("Ida and Jim are cousins; the former lives in Rome.", "Does Ida live in Rome?"),
    ("Anyone who sells a van must call the buyer. Yop sells a van to Zara.",
     "Must Yop call Zara?"),
    ("Tom is getting tired. Tired people rest.", "Does Tom rest?"),
    # today, at night
    ("The ice rink is always crowded on Saturdays. Today is Sunday.",
     "Is the ice rink crowded today?"),
    ("The shop is closed on Mondays. Today is a holiday.", "Is the shop closed?"),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "question", "verdict"), CERTIFIED)
def test_certified(rules: str, question: str, verdict: str) -> None:
    assert str(ibr.load("solver").prove(rules, question).verdict) == verdict


@pytest.mark.parametrize(("rules", "question"), OPEN)
def test_left_open(rules: str, question: str) -> None:
    assert str(ibr.load("solver").prove(rules, question).verdict) == "cannot say"
