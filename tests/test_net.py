"""What was once certified wrongly, by class: decided rightly now, or it cannot be said."""

from __future__ import annotations

import pytest

import ibr

YES, NO, OPEN = {"yes"}, {"no"}, {"not shown", "cannot say"}
UNSAID = {"cannot say"}
CASES = [
    # one who may be another: all words of a description are stated of him
    ("The warehouse team reports to Mr Novak. Ella is in the warehouse team.",
     "Does Ella report to Mr Novak?", UNSAID),
    ("After three failed attempts, the account is locked. Bea's account had three failed attempts.",
     "Is Bea's account locked?", UNSAID),
    ("Lions are animals. A stone lion stands at the gate.",
     "Is the lion at the gate made of stone?", UNSAID),
    ("The vase is in the red box.", "Is the vase red?", {"not shown"}),
    # the opposite would contradict what is stated
    ("Nobody who has not signed the contract gets a salary. Birgit gets a salary.",
     "Has Birgit signed the contract?", YES),
    ("When the doorbell rings, the dog barks. The dog is not barking.",
     "Is the doorbell ringing?", NO),
    # stuff, and what is made of it
    ("Butter and cheese are stored in the cool room. The yellow block is cheese.",
     "Is the yellow block stored in the cool room?", YES),
    ("Wood floats on water. The plank is wood.", "Does the plank float on water?", YES),
    # one event, or every one
    ("A race is being held. The pool is open except when a race is being held.",
     "Is the pool open?", NO),
    ("Key 12 is a key. A key is missing.", "Is key 12 missing?", UNSAID),
    ("Some members may vote. Tom is a member.", "May Tom vote?", OPEN),
    # each of those that a bare plural names, or any agent of a permission
    ("Lunch is free for trainees. Kim is a trainee.", "Is lunch free for Kim?", YES),
    ("Every teacher likes some pupils. Hob is a teacher. Ian is a pupil.",
     "Does Hob like Ian?", OPEN),
    ("A locked account can be unlocked by an administrator. Bea is an administrator. "
     "Tom's account is locked.", "Can Bea unlock Tom's account?", YES),
    ("A knight beats a thief. Sir Roy is a knight. Nip is a thief.",
     "Does Sir Roy beat Nip?", UNSAID),
    # words that restrict or join otherwise than they seem
    ("Fresh fish is sold only on Fridays.", "Is fresh fish sold?", OPEN),
    ("Dot carries an umbrella in case it rains.", "Does Dot carry an umbrella?", UNSAID),
    ("Suppose that Pia is guilty. Then Quin is innocent.", "Is Quin innocent?", UNSAID),
    ("Marek did not forget to feed the parrot.", "Did Marek feed the parrot?", YES),
    ("Tom did not resign because he was ill.", "Did Tom resign?", UNSAID),
    ("Customers can pay with cash or by card. Ida is a customer.", "Can Ida pay by card?", YES),
    ("All staff are insured, including volunteers. Lia is a volunteer.", "Is Lia insured?", YES),
    ("Bees that sting die. Maja is a bee. Maja has not stung anybody.", "Does Maja die?",
     {"not shown"}),
    ("Members must train unless they are injured. Zoe is a member. Zoe is not seriously injured.",
     "Must Zoe train?", UNSAID),
    # what may be dropped, and what changes what is left
    ("Anna is rich in friends. Rich people pay tax.", "Does Anna pay tax?", OPEN),
    ("Anna is rich on paper. Rich people pay tax.", "Does Anna pay tax?", OPEN),
    ("Tom looks after the cat. Anyone who looks is seen.", "Is Tom seen?", OPEN),
    ("Anna is technically a member. Members may vote.", "May Anna vote?", OPEN),
    ("A wooden horse stands in the yard. Horses eat hay.", "Does the wooden horse eat hay?", OPEN),
    ("Kim has a guinea pig. Pigs love mud.", "Does the guinea pig love mud?", OPEN),
    ("Swans are white. Nero is a black swan.", "Is Nero white?", UNSAID),
    ("Dogs have four legs. Tripod is a dog. Tripod has three legs.",
     "Does Tripod have four legs?", UNSAID),
    ("Everyone who had a coin kept it. Ada had a red coin and a blue coin.",
     "Did Ada keep the red coin?", UNSAID),
    ("Jokes:\n- Anna is a spy.", "Is Anna a spy?", UNSAID),
    ("Facts:\n- Anna is a spy.", "Is Anna a spy?", YES),
    ("One member has a boat. Ann is a member.", "Does Ann have a boat?", OPEN),
    ("Without a key, Anna cannot enter.", "Can Anna enter?", OPEN),
    # another of the same kind, of one of which it is said what it is
    ("Tobias has a red kayak. Ulrich has a green one. Green kayaks are stored upstairs.",
     "Is Ulrich's kayak stored upstairs?", YES),
    ("Tobias has a red kayak and a dog. Ulrich has a green one. Green kayaks are stored upstairs.",
     "Is Ulrich's kayak stored upstairs?", UNSAID),
    ("Tobias has a red kayak. Tobias has a green kayak. Green kayaks are stored upstairs.",
     "Is Tobias's kayak stored upstairs?", UNSAID),
    ("Tom has an old dog. Tom's dog is called Rex. Old dogs sleep.", "Does Rex sleep?", YES),
    ("Nurses who are on call sleep at the station. Kim is a nurse, and she is on call.",
     "Does Kim sleep at the station?", YES),
    ("Players who are out leave the room. Kim is a player. Kim is out.",
     "Does Kim leave the room?", YES),
    ("Otto is the likely winner of the race. The winner of the race gets the cup.",
     "Does Otto get the cup?", {"not shown"}),
    ("Flowers that are visited by bees produce seeds. The bluebell is a flower. "
     "Bees visit the bluebell.", "Does the bluebell produce seeds?", YES),
    # all of them, more of them, more often
    ("Each player who has lost all their cards is out. Kim is a player. Kim has lost one card.",
     "Is Kim out?", OPEN),
    ("Each player who has lost all their cards is out. Kim is a player. Kim has lost his cards.",
     "Is Kim out?", YES),
    ("Tim invited all his cousins. Lukas is one of Tim's cousins.", "Did Tim invite Lukas?", YES),
    ("Tim feeds all his cats. Mia is Tim's cat. Cats that Tim feeds are fat.", "Is Mia fat?", YES),
    ("Tim did not sell all his goats. Bella is one of Tim's goats.", "Did Tim sell Bella?", OPEN),
    ("Pickers who fill ten baskets get a hat. Ann is a picker. Ann fills nine baskets.",
     "Does Ann get a hat?", {"not shown"}),
    ("Everyone who has seen the film twice gets a poster. Dee has seen the film.",
     "Does Dee get a poster?", {"not shown"}),
    # only said, hoped, pretended, planned or past
    ("Anyone who plays the tuba gets a hat. Rolf used to play the tuba.", "Does Rolf get a hat?",
     {"not shown"}),
    ("Arno used to be a monk.", "Was Arno a monk?", YES),
    ("Anyone with a broken arm may skip gym. Uri says that he has a broken arm.",
     "May Uri skip gym?", {"not shown"}),
    ("Doctors may park. Otto claims to be a doctor.", "May Otto park?", {"not shown"}),
    ("Doctors may park. Otto looks like a doctor.", "May Otto park?", {"not shown"}),
    ("Bikes that have been repaired are kept in the yard. Ida's bike is waiting to be repaired.",
     "Is Ida's bike kept in the yard?", {"not shown"}),
    ("Whoever is on duty carries the pager. Bea is on duty next week.",
     "Does Bea carry the pager?", {"not shown"}),
    ("Sven was made to leave.", "Did Sven leave?", {"yes", "cannot say"}),
    ("The night warden has the key. Rupert is the deputy night warden.",
     "Does Rupert have the key?", {"not shown"}),
    # what is denied of one kind or way says nothing of others, nor does silence
    ("Riders who cannot gallop must stay here. Gwil is a rider. He cannot jump.",
     "Must Gwil stay here?", {"not shown"}),
    ("No one may enter the laboratory in sandals. Fabrice is wearing boots.",
     "May Fabrice enter the laboratory?", {"not shown"}),
    ("No one may enter the laboratory in sandals. Fabrice is wearing sandals.",
     "May Fabrice enter the laboratory?", {"no", "cannot say"}),
    ("No token can move onto a blocked square. The dragon is a token. "
     "The bridge square is next to the lake.", "Can the dragon move onto the bridge square?",
     {"not shown"}),
    ("Blossoms die when there is frost. There was hail last night.", "Did the blossoms die?",
     {"not shown"}),
    # common constructions
    ("Our neighbour has two cats. Anyone who has a cat buys cat food.",
     "Does our neighbour buy cat food?", YES),
    ("If your token lands on a red square, you miss a turn. Joe's token lands on a red square.",
     "Does Joe miss a turn?", YES),
    ("Cacti are watered once a month. The plant in the hall is a cactus.",
     "Is the plant in the hall watered once a month?", YES),
    ("Bats are mammals, not birds. Fledi is a bat.", "Is Fledi a bird?", NO),
    ("Goods on sale cannot be returned. The shirt is on sale.", "Can the shirt be returned?", NO),
    ("If it rains, training takes place in the hall. It is raining.",
     "Does training take place in the hall?", YES),
    ("The heating is on because it is cold. When the heating is on, the window is closed.",
     "Is the window closed?", YES),
    ("The red towel belongs to Emma. Emma's towels are washed on Mondays.",
     "Is the red towel washed on Mondays?", YES),
    ("Nobody can enter the castle without the golden key. Finn does not have the golden key.",
     "Can Finn enter the castle?", NO),
    # a condition that is met but for tense, voice, time, or one of a kind
    ("Whoever breaks a cup must pay for it. Nkechi broke a cup.",
     "Must Nkechi pay for the cup?", YES),
    ("Whoever breaks a cup must pay for it. Nkechi broke a plate.",
     "Must Nkechi pay for the plate?", {"not shown"}),
    ('If a student borrows a book, she returns it. Sunniva is a student and has borrowed "Emma".',
     'Does Sunniva return "Emma"?', UNSAID),
    ("Blerks hunt grobbits. Things that are hunted by blerks live underground.",
     "Do grobbits live underground?", UNSAID),
    ("Blerks hunt grobbits. Things that are hunted by wolves live underground.",
     "Do grobbits live underground?", {"not shown"}),
    ("Last week the well ran dry. When the well runs dry, water is brought by truck.",
     "Was water brought by truck last week?", UNSAID),
    ("If a child has a fever, the school calls the parents. Zainab has a fever. "
     "Zainab is a child.", "Does the school call Zainab's parents?", UNSAID),
]  # fmt: skip


@pytest.mark.parametrize(("rules", "question", "verdicts"), CASES)
def test_verdict(rules: str, question: str, verdicts: set[str]) -> None:
    assert str(ibr.load("solver").prove(rules, question).verdict) in verdicts


def test_red_is_no_participle() -> None:
    from ibr.logic.english.lexis.forms import verb_base

    assert [verb_base(word) for word in ("red", "signed", "frobbed")] == ["red", "sign", "frobb"]
