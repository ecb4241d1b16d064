"""How French says that a source or the speaker does not know."""

from harness.generation.refusals_wording import Wording, any_of, few, gap

_SOURCE = (
    r"\b(?:passages?|extraits?|documents?|contexte|sources?|textes?|manuels?|notices?|guides?|documentation"
    r"|bases? de (?:connaissances?|données)|articles?|éléments|matériel|matériaux|pages?|fichiers? (?:jointe?s?|fourni\w*|transmis)"
    r"|rapports?|faq|foire aux questions|informations (?:fournies|disponibles|données)|ressources?|fiches?"
    r"|données (?:fournies|disponibles)|contenus?|mode d'emploi|brochures?|chapitres?|résultats|note"
    r"|compte rendu)\b"
)
_WEAK = r"\b(?:politiques?|contrats?|règlements?|charte|conditions|loi|section|tableau)\b"
_INFO = (
    r"(?:informations?|renseignements?|détails?|mentions?|données?|réponses?|précisions?|indications?|traces?"
    r"|éléments?|chiffres?|références?|passages?|documents?|sources?|résultats?|explications?|trace|indices?"
    r"|extraits?|connaissances?)\b"
)
_NO = r"(?:pas|point|aucune?s?|rien|nulle part|jamais|ni|guère)\b"
_SAY = (
    r"(?:mentionne|précise|indique|di[ts]|contien|contenai|comporte|fourni|donne|parle|traite|aborde|répond"
    r"|évoque|spécifie|couvre|décri|explique|perme|figure|trouve|apparai|apparaî|nomme|cite|fai[ts]|font"
    r"|révèle|renseigne|détaille|inclu|propose|semble|offre|recense|signale|énonce|définit|définissent|stipule"
    r"|suffi|ren[vd]|li[vs]re|touche|possède|rapporte|présente|mentionnai|souffle|affiche|liste|énumère)\w*"
)
_TOLD = (
    r"(?:mentionnée?s?|précisée?s?|indiquée?s?|spécifiée?s?|décrite?s?|abordée?s?|évoquée?s?|documentée?s?"
    r"|expliquée?s?|détaillée?s?|citée?s?|nommée?s?|stipulée?s?|dite?s?|traitée?s?|renseignée?s?|définie?s?)\b"
)
_LEARN = (
    r"(?:trouve|répond|di[rst]|détermin|confirm|aide|assist|indiqu|préciser|savoir|fourni|donner|identifi"
    r"|établir|vérifi|conseil|renseign|juger|affirm|conclure|estimer|communiqu|accéder|traiter|connaître"
    r"|évaluer|se prononcer|me prononcer|satisfaire|deviner|localis|repér|partag|rédig|écrire|créer|recommand"
    r"|générer|commenter|voir|tranch|calculer|déduire|accéd|particip|réalis|effectu)\w*"
)
FRENCH = Wording(
    cue=any_of(
        r"\b(?:ne|pas|aucune?|rien|ni|impossible|non|ignore|hors|sor[t]\w*|muet\w*|silen\w+|insuffisant\w*"
        r"|refuse\w*|manqu\w+|sans|dépass\w+|nulle|inconnu\w*|incapable|décliner?|uniquement|seulement|absent\w*"
        r"|introuvable\w*|trop|faute|au-delà|lacun\w+)\b|\bn'"
    ),
    lacks=any_of(
        r"\bje (?:ne |n')(?:vous |l[ae] |l'|y |en |les |te |me )*(?:peux|puis|pourrai)\b(?! que)",
        r"\b(?:cet |l'|un )assistant (?:virtuel )?(?:ne |n')\w+ (?:pas|aucun\w*)\b|\bsans (?:rien |en |y )*(?:trouver|rencontrer)\b",
        rf"{_SOURCE}{gap(8)}(?:ne |n'(?:en |y )?)(?:\w+ |\w'){{0,3}}?{_SAY}{gap(5)}{_NO}",
        rf"{_SOURCE}(?:,? (?!(?:que(?! vous| tu| j'| l'on)|qui|quoi|comment|quand|doi\w*|dev\w*)\b"
        rf"|qu')[^ ,;:]+){{0,7}}?,? (?:ne |n'(?:en |y )?)(?:l[ae] |l'|en |y |les |nous |vous |me |m'|s'|se )*(?!doi"
        rf"|dev|peu|son|est |faut|a |ont |coût|quitt|nécessit|requi|pès)\w+{gap(2)}{_NO}",
        rf"\b(?:pas assez|trop peu|pas suffisamment) (?:de |d')(?:{_INFO}|{_SOURCE})|\b(?:recherche"
        rf"|requête)s? n'\w+ (?:\w+ )?(?:rien|aucune?|pas)\b",
        rf"\b(?:dans|par|parmi) (?:aucune?|nulle?) (?:des |de (?:ces|mes) |autre )?{_SOURCE}|\b(?:dans"
        rf"|parmi) {few(3)}{_SOURCE}{gap(5)}(?:ne|n'\w+|n'y)\b{gap(3)}{_NO}|\bde ne (?:pas )?(?:pouvoir"
        rf"|être en mesure|savoir)\b",
        r"\btrop (?:\w+) pour (?:dire|savoir|répondre|déterminer|juger|conclure|établir|en)\b|\b(?:nulle part|pas"
        r"|jamais) (?:fait )?(?:question|mention) d",
        r"\bil n'en est (?:pas|nulle part|jamais) (?:question|fait mention)",
        rf"\brien{gap(6)}n'est {_TOLD}|\b(?:reste\w*|demeure\w*) (?:sans (?:réponse|précision|explication)|inconnue?s?|ouverte)",
        rf"{_WEAK}{gap(5)}(?:ne |n'(?:en |y )?)(?:\w+ |\w'){{0,3}}?(?:mentionn|précis|indiqu|di[ts]|parl|évoqu"
        rf"|spécifi|abord|nomm)\w*{gap(3)}{_NO}",
        rf"\b(?:aucune?|pas une? seule?)(?: (?:de ce|de|d[eu]s?|parmi|autre))*(?: (?:ces|les"
        rf"|mes))?(?: \w+)? {_SOURCE}{gap(8)}(?:ne |n')(?:\w+ |\w'){{0,3}}?{_SAY}",
        rf"\b(?:ni|rien){gap(6)}{_SOURCE}{gap(6)}(?:ne |n')(?:\w+ |\w'){{0,3}}?{_SAY}",
        rf"\brien (?:ne |n'){gap(5)}?{_SOURCE}|\brien (?:n'est (?=dit|mention|précis|indiqu|prév)|ne (?:permet"
        rf"|figure|mentionne|précise|dit|laisse))\b(?:(?! (?:requis|nécessaire)).)*$|\brien (?:dans|à ce sujet"
        rf"|là-dessus|sur ce|trouvé)\b",
        rf"^(?:ils?|elles?|cela|ceux-ci|ce dernier|cette dernière|celui-ci|celle-ci) (?:ne |n'(?:en |y )?)(?:l[ae] "
        rf"|l'|en |y |les |me |nous )*(?:mentionn|précis|indiqu|di[ts]|parl|évoqu|spécifi|abord|nomm|cit|donn"
        rf"|fourni)\w*{gap(4)}{_NO}",
        rf"\b(?:je|nous|on) (?:(?:ne |n')(?:me |vous |l[ae] |l'|y |en |les |te |nous )*|\w+ ){{0,2}}?(?:ne "
        rf"|n')(?:me |vous |l[ae] |l'|y |en |les |te |nous )*(?:peu[xt]|puis|pouvons|sai[st]|savons|dit|sommes|suis"
        rf"|parvien\w+|arriv\w+|pourr\w+|parvenons|saurai[st]?|saurions|voi[st]|ai|avons|trouv\w+|dispos\w+"
        rf"|connai[st]\w*|possèd\w+|détien\w+|souhait\w+|vais){gap(7)}(?:{_LEARN}|mesure|{_INFO}|certaine?|sûre?"
        rf"|au courant|capable|habilitée?|autorisée?|qualifiée?|accès|idée|{_SOURCE}|assez)",
        r"\b(?:je|nous|on) (?:ne |n')(?:l[ae] |l'|en |y )*(?:sai[st]|savons|dit|précise|connai[st]\w*|vois|trouve"
        r"|peux|puis|pouvons)(?: (?:pas|rien|malheureusement|hélas))*(?:$|,| (?:qui|quand|si|où|comment|combien"
        r"|pourquoi|quel\w*|ce qu\w*|l'|la |le |les |de )|:)",
        r"\bj'ignore\b|\bnous ignorons\b|\baucune idée\b|\bje (?:dois|me vois|suis contrainte?"
        r"|préfère)(?: \w+){0,4} (?:refuser|décliner|ne pas)\b|\bje (?:refuse|décline)\b"
        r"|\bje suis (?:\w+ )?(?:incapable|dans l'(?:impossibilité|incapacité))\b|\bil m'est (?:\w+ )?impossible\b",
        rf"\b(?:il n'y a|il n'existe|je n'ai|nous n'avons|je ne (?:vois|trouve|dispose)|on ne trouve|ne contien\w+"
        rf"|n'offre\w*|ne fourni\w+|n'apporte\w*){gap(3)}(?:pas|aucune?|rien)\b(?: assez| suffisamment)?(?: d'| de"
        rf"| autre| plus| la moindre)*(?: ?\w+){{0,2}}? ?{_INFO}(?! (?:communiqu|perdu))",
        rf"\baucune? (?:autre )?(?:\w+ )?{_INFO}{gap(8)}(?:n'(?:est|a|y|apparai)|ne (?:figure|se trouve|permet|fait"
        rf"|mentionne|porte|ressort|peut être))\w*(?:(?! nécessaire| exigée?| demandée?| requise?| attendue?| obligatoire"
        rf"| perdu| communiquée? à| transmise?| partagée?| conservée?| collectée?| enregistrée?).)*$",
        rf"^(?:désolée?,? )?(?:aucune?|pas d[e']) ?(?:\w+ )?{_INFO}(?: (?:à|sur|disponible|trouvée?|fournie?|dans"
        rf"|concernant|relative)\b.*)?$",
        rf"(?<!qui )\bn(?:'est|e sont|'a été|'ont été|'était|'étaient)(?: \w+)? (?:pas|nulle part"
        rf"|jamais)(?: \w+ment)?(?: non plus)? {_TOLD}",
        rf"\bn(?:'est|e sont|'a|e se|e|'y)\b{gap(5)}{_NO}{gap(5)}(?:dans|par|parmi){gap(4)}{_SOURCE}",
        rf"\bne (?:figure|figurent|se trouve|se trouvent|ressort|ressortent|transparait"
        rf"|transparaît)\b{gap(2)}(?:pas|nulle part|jamais)\b",
        rf"\b(?:information|réponse|question|renseignement|détail|donnée|cela|ceci|ce sujet|ce point"
        rf"|demande)s?\b{gap(4)}(?:n'est|ne sont|n'apparai\w+|n'apparaî\w+|ne figure\w*|ne peu\w+|ne fai\w+"
        rf"|n'a)\b{gap(4)}(?:pas|nulle part)\b(?: \w+ment| être)*(?:$| (?:disponible|fourni|donné|dans|présente?"
        rf"|contenu|inclu|connu|accessible|mentionn|trouv|appara|figur|partie|répond|précis|indiqu|couvert|abord"
        rf"|traité|d'objet|l'objet|de mon|en ma))",
        rf"\bimpossible d[e'] ?(?:le |la |vous |l')*{_LEARN}|\bimpossible (?:à|de) (?:dire|savoir)|\b(?:pas"
        rf"|im) ?possible d[e'] ?(?:le |la )?(?:répondre|dire|savoir)\b|\b(?:pas|im) ?possible{gap(10)}{_SOURCE}"
        rf"|\bne (?:peut|pouvons|permet\w*)(?: \w+)? pas{gap(8)}(?:dans|d'après|à partir d\w+|sur la base d\w+|avec"
        rf"|selon) {few(3)}{_SOURCE}",
        rf"\bne permet\w* (?:pas )?(?:d[e'] ?)(?:savoir|répondre|dire|conclure|trancher)|{_SOURCE}{gap(5)}ne permet\w*",
        r"\bon ne peut(?: \w+)? (?:le |la )?(?:savoir|dire|déduire|répondre|déterminer)\b",
        r"\b(?:rest\w+|est|sont|demeur\w+) (?:\w+ )?(?:muet\w*|silencieu\w+)|\bpass\w+ sous silence"
        r"|\bgard\w+ le silence|\bmuet\w* sur\b",
        rf"\b(?:hors|sor[t]\w*|en dehors|au-delà|dépass\w+)(?: (?:du|de|des|le|la|les|mon"
        rf"|mes))* ?(?:l')?(?:(?:champ|cadre|périmètre|portée|étendue|domaine|limites|compétences?|sujet"
        rf"|connaissances)(?: (?:de|des|du|couvert\w*|d'|que)\b.*(?:{_SOURCE}|dont|cet? |mes|ma |mon )|$| de (?:mes"
        rf"|ce))|mes|(?:ces )?{_SOURCE}|ce (?:que|qui))",
        rf"{_SOURCE}{gap(6)}(?:manqu\w+|sont insuffisant\w*|est insuffisant\w*|omet\w*|laisse\w*)\b",
        rf"\b(?:il (?:me |nous )?)?manque\b{gap(3)}{_INFO}|\bfaute d[e'] ?{_INFO}|\b{_INFO}{gap(4)}(?:insuffisant\w*"
        rf"|manquant\w*|introuvable\w*|absente?s?)\b|\binsuffisant\w*{gap(3)}pour (?:répondre|dire|savoir"
        rf"|déterminer|conclure)|\bne suffi\w+ pas\b|\bpas (?:assez|suffisamment) d[e'] ?{_INFO}",
        r"^(?:non|pas) (?:précisée?s?|indiquée?s?|mentionnée?s?|trouvée?s?|renseignée?s?|spécifiée?s?|disponibles?"
        r"|communiquée?s?)(?: (?:dans|par|ici)\b.*)?$|^(?:inconnue?|sans réponse|je l'ignore|aucune réponse"
        r"|introuvable)$",
        r"\b(?:fai[ts]|font) (?:aucune |pas )(?:mention|référence|état|allusion)",
    ),
    elided=any_of(
        rf"(?:ils?|elles?)? ?(?:ne |n'(?:en |y )?)(?:l[ae] |l'|en |y |les |me |nous )*{_SAY}{gap(4)}{_NO}(?! besoin)",
        r".*\bn'y \w+ (?:pas|nulle part)\b",
    ),
    answers=any_of(
        r"^.*\bà des tiers\b.*|\bchamps? de texte\b|\bcode source\b|\bmenu contextuel\b",
        r"\b(?:selon|d'après) (?:le |la |les |l')\w+,? (?=l\w+ (?:employé|client|salarié|utilisateur)\w*).*",
        r"\b(?:dit|disent|indique|indiquent|précise|précisent|stipule|stipulent|signale|explique"
        r"|expliquent)(?: \w+){0,2} qu[e'].*",
        r"\b(?:erreur|message|code) [^,]*\bsignifie\b.*",
    ),
    condition=any_of(
        r"(?:^|(?<=[,;] )|(?<=et )|(?<=mais ))(?:si|s'il|s'ils|lorsque|lorsqu'\w+|quand|à moins|au cas où|tant que"
        r"|dès que|en cas)\b[^,?]*(?:,|$)",
        r" (?:lorsque|lorsqu'\w+|quand (?:l[ea]|il)|à moins|tant que)\b[^,;]*",
    ),
    turn=any_of(
        r"(?:^|[ ,])(?:mais|cependant|toutefois|pourtant|néanmoins|bien qu(?:e\b|')|quoique|tandis que|alors que"
        r"|en revanche|même si)(?:,| |(?<='))|[;—–]| - | et (?=(?:ne|n')\b)|(?<=[a-z]), (?=(?:il|elle|ils|elles"
        r"|on) (?:ne|n')\b)"
    ),
    talk=any_of(
        r"(?:(?:je (?:suis|vous prie)|désolée?s?|navrée?|excuse\w*(?:-moi)?|pardon|malheureusement|hélas|toutes"
        r"|nos|mes|bonjour|merci|vraiment|sincèrement|regrette|je|bien sûr|oui|non|vous|de m')[,! ]*)+(?:(?:pour"
        r"|de) (?:la|votre|le|cette)\b[^:]*|qu[e'].*|$)",
        r"(?:veuillez|n'hésitez|contactez|consultez|adressez|essayez|vérifiez|demandez|voyez|rapprochez"
        r"|vous (?:pouvez|pourriez|devriez|trouverez)(?: \w+)? (?:contacter|consulter|vérifier|demander|essayer"
        r"|vous adresser|vous rapprocher|préciser|reformuler|peut-être)|je vous (?:invite|conseille|recommande"
        r"|suggère)|je (?:peux|serai|reste)(?: \w+)* (?:aider|ravie?|heureu\w+|disposition)|pour (?:plus|davantage"
        r"|en savoir|toute?)\b|il (?:serait|est) (?:préférable|conseillé|recommandé)|merci de|reformulez|précisez"
        r"|pourriez|j'ai (?:parcouru|cherché|consulté|vérifié|lu|relu|examiné|regardé)|en tant qu|votre question"
        r"|la question|vous (?:demandez|voulez|cherchez|souhaitez|me demandez|avez demandé)|peut-être"
        r"|mieux vaut)\b",
    ),
    about=any_of(
        rf"{_SOURCE}{gap(5)}(?:parle|décri|trait|abord|évoqu|mentionn|retrac|couvr|port|concern|expliqu|présent"
        rf"|se limit|s'en tien|cite|contien\w+ (?:uniquement|seulement) des informations|détaill)\w*",
        r"\b(?:ils?|elles?|ce(?:la|ux-ci)?) \w+ (?:uniquement|seulement)\b",
    ),
)
