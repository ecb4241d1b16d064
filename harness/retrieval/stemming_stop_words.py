"""Stop words by language: articles, pronouns, prepositions, conjunctions and auxiliaries that tell nothing of a text's subject.

The lists are the project's own, short on purpose; words of negation are kept, because questions turn on them. English has the
33 words of `harness.terms`.
"""

from functools import cache

from harness.terms import STOP_WORDS
from harness.text import fold

# fmt: off
_LISTS: dict[str, str] = {
    "german": """
        aber als am an auch auf aus bei beim bin bis bist da damit dann das dass daß dein deine dem den denn der des dich die dies
        diese diesem diesen dieser dieses dir doch du durch ein eine einem einen einer eines er es euch euer eure für hab habe
        haben hat hatte hätte ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes kann
        können könnte man mein meine meinem meinen meiner mich mir mit muss müssen nach noch nun ob oder sehr sein seine seinem
        seinen seiner sich sie sind so soll sollen sollte sowie um und uns unser unsere unter vom von vor war waren was wegen
        welche welchem welchen welcher welches wenn wer werde werden wie wieder wir wird wo wurde wurden würde zu zum zur
    """,
    "french": """
        a ai au aux avec avez avons c ce ces cet cette comme d dans de des donc du elle elles en es est et été être eu eux
        fait faut il ils j je l la le les leur leurs lui m ma mais me mes moi mon nos notre nous on ont ou où par
        pour puis qu quand que quel quelle quelles quels qui quoi s sa se sera ses si son sont suis sur t ta te tes toi ton
        tu un une vos votre vous y
    """,
    "spanish": """
        a al algo como con cual cuál cuáles cuando cuándo de del desde donde dónde e el él ella ellas ellos en entre era es esa
        ese eso esta está están estas este esto estos fue ha hay he la las le les lo los me mi mis mucho muy nos nosotros o os
        para pero por porque puede que qué quien quién se sea ser si sí sobre son su sus también te tiene tu tus un una unas uno
        unos usted y ya yo
    """,
    "italian": """
        a ad agli ai al alla alle allo anche c che chi ci cui come con d da dagli dai dal dalla dalle dallo degli dei del della
        delle dello di dove e è ed era essere gli ha hai hanno ho i il in io l la le lei lo loro lui ma me mi mia mio nei nel
        nella nelle nello noi o per perché più può quale quali quando quella quello questa queste questi questo se sei si sia
        sono su sua sue sul sulla suo suoi ti tra tu un una uno vi voi
    """,
    "dutch": """
        aan als bij dan dat de deze die dit door een en er had heb hebben heeft het hij hoe hun ik in is je kan kunnen maar me
        met mij mijn moet moeten na naar nog of om ons onze ook op over te tot u uit uw van voor waar was wat we welk welke
        werd wij wie worden wordt ze zich zij zijn zo zou
    """,
    "arabic": """
        من إلى الى عن على في مع هل ما ماذا متى أين كيف كم أي هو هي هم هذا هذه ذلك تلك التي الذي الذين أن إن أنه إنه كان كانت
        يكون تكون قد ثم أو و ف ب ل ك إذا لكن كما عند حتى بعد قبل بين كل
    """,
}
# fmt: on


@cache
def stop_words(language: str) -> frozenset[str]:
    """The stop words of a language, folded as words are (`harness.text.fold`: ß is ss)."""
    return STOP_WORDS if language == "english" else frozenset(map(fold, _LISTS[language].split()))
