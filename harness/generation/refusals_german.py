"""How German says that a source or the speaker does not know."""

from harness.generation.refusals_wording import Wording, any_of, few, gap

_SOURCE = (
    r"\b(?:\w*(?:bericht|(?<!klar)text|unterlagen|vorlage|führer|leitfaden|handbuch|datenbank|anleitung|dokument|artikel)(?:s|es|e|en)?|text(?:e[ns]?|s|stellen?"
    r"|auszug|auszüge?n?|passagen?)?|passagen?|abschnitte?n?|dokument(?:e[ns]?|s|ation(?:en)?)?|unterlagen"
    r"|kontext(?:es|s)?|quellen?|handb(?:uch(?:s|es)?|ücher[n]?)|anleitung(?:en)?"
    r"|wissens(?:datenbank|basis)|materiali?(?:en|s)?|aus(?:zug|züge)[ns]?|artikel[ns]?|hilfe\w*|datenbl(?:att"
    r"|ätter)\w*|berichts?(?:en?)?|faqs?|protokoll|informationen|angaben|notizen|suchergebnisse?n?|treffer[n]?"
    r"|datei(?:en)?|notizen|broschüre|wiki)\b"
)
_WEAK = (
    r"\b(?:vertrag\w*|richtlinien?|ordnung|regelwerk|satzung|seiten?|abschnitt|kapitel|tabelle|regeln"
    r"|verordnung|bedingungen|bestimmungen)\b"
)
_INFO = (
    r"(?:informationen?|infos?|angaben?|hinweise?|auskunft|auskünfte|antwort(?:en)?|daten|details?"
    r"|einzelheiten|erwähnung|eintr(?:ag|äge)|aussagen?|belege?|anhaltspunkte?|erklärung|beschreibung|zahlen"
    r"|fundstellen?|treffer|passagen?|textstellen?|dokumente?|quellen?|kenntnis(?:se)?|näheres|ergebnis(?:se)?"
    r"|inhalte|unterlagen)\b"
)
_NO = r"(?:nicht|kein(?:e[nmrs]?|erlei)?|nichts|nirgends|nirgendwo|nie|weder|kaum)\b"
_SAY = (
    r"(?:nenn|erwähn|sag|mach|beschreib|behandel|beantwort|verr[aä]t|erklär|äusser|liefer|biete|erläuter"
    r"|thematisier|präzisier|spezifizier|geb|gib|geh|steh|finde|find|beleg|führ|enth[aä]lt|beinhalt|informier"
    r"|schreib|definier|regel|beziffer|verlier|verzeichn|listen|listet|hergeb|hergib|umfass|aufführ|zeig|deck"
    r"|reich)\w*"
)
_TOLD = (
    r"(?:gesagt|erwähnt|genannt|angegeben|beschrieben|aufgeführt|dokumentiert|spezifiziert|beantwortet|thematisiert"
    r"|erläutert|erklärt|behandelt|ausgeführt|präzisiert|vermerkt|festgehalten|angesprochen|beziffert"
    r"|näher bestimmt|zu entnehmen|ersichtlich|zu finden|hinterlegt|verzeichnet|benannt|definiert)\b"
)
_LEARN = (
    r"(?:finden|beantworten|sagen|feststellen|bestätigen|entnehmen|helfen|weiterhelfen|ermitteln|angeben"
    r"|beurteilen|nennen|mitteilen|bestimmen|herausfinden|geben|erteilen|antworten|erkennen|ableiten|machen"
    r"|dienen|unterstützen|bieten|auskunft|beraten|sehen|einschätzen|erfüllen|entsprechen|liefern|ausmachen"
    r"|herleiten|ersehen|schreiben|erstellen|prüfen|berechnen|schliessen|treffen|zugreifen|behilflich sein"
    r"|nachkommen|auffinden|entdecken|gefunden|klären|verraten|herausgeben|weitergeben|offenlegen|preisgeben"
    r"|teilen|spekulieren|abgeben)\b"
)
GERMAN = Wording(
    cue=any_of(
        r"\b(?:nicht|kein\w*|nichts|nirgend\w*|weder|nie|fehl\w+|un\w+|schweig\w*|ausser\w*|überfragt|passen"
        r"|ablehnen|ohne|mangels|ausserstande|keinerlei|offen|lücke\w*|nur|lediglich|ausschliesslich|unzureichend"
        r"|zu)\b"
    ),
    lacks=any_of(
        rf"\b(?:ich (?:kann|darf|konnte|könnte)|(?:kann|darf|konnte|könnte) ich)\b{gap(8)}(?:nicht|keine?[nmrs]?|nichts)\b(?! (?:nur|umhin))",
        rf"\b(?:diese[rn]?|der|dem|als) (?:\w+-)?(?:assistent\w*|chatbot|bot|modell|system)\b{gap(1)}(?:kann|darf){gap(5)}{_NO}",
        r"\b(?:wird|ist|wurde)\b(?:,? [^ ,;:]+){0,5}? nichts (?:gesagt|erwähnt|berichtet|ausgesagt|vermerkt|geschrieben|mitgeteilt|angegeben)\b",
        rf"{_SOURCE}{gap(8)}{_SAY}{gap(8)}{_NO}",
        rf"{_SOURCE}(?:,? (?!(?:dass|was|wie|welche\w*|ob|warn\w*|rät|verlang\w*|kost\w*|wieg\w*|brauch\w*|benötig\w*|verbiet\w*|d[aü]rf\w*|m[uü]ss\w*"
        rf"|soll\w*|k[aöo]nn\w*|wird|werden|wurden?|ist|sind|war|waren|hat|haben|sag\w*)\b)[^ ,;:]+){{1,8}}?,? {_NO}",
        rf"(?:^|, |\b){_SAY} {few(2)}{_SOURCE}{gap(4)}{_NO}",
        rf"\b(?:zu wenige?|nicht genug|nicht genügend|nicht ausreichend\w*) (?:\w+ )?(?:{_INFO}|{_SOURCE})|\b(?:such"
        rf"|recherch|abfrag)\w* (?:\w+ ){{0,3}}?(?:kein\w*|nichts)\b",
        r"\b(?:lässt|lassen|liess) (?:\w+ ){0,4}?offen\b|\bzu (?:knapp|vage|kurz|allgemein|ungenau|unbestimmt"
        r"|dürftig|wenig)\w*,? um\b|\bkeine rede\b",
        rf"\b(?:in|im|aus|anhand|unter) {few(3)}(?:{_SOURCE}|{_WEAK}){gap(6)}(?!(?:d[aü]rf|m[uü]ss|soll)){_NO}",
        rf"\b{_NO} (?:\w+ ){{0,4}}?(?:in|im|aus|unter) (?!dem artikel|der datei){few(3)}(?:{_SOURCE}|{_WEAK})"
        rf"|\bin keine[mr] (?:\w+ ){{0,2}}?{_SOURCE}",
        rf"\b(?:bleib\w*|blieb\w*){gap(6)}(?:ungenannt|unerwähnt|offen|unbeantwortet|unklar|ungeklärt)",
        rf"{_WEAK}{gap(6)}(?:nenn|erwähn|sag|äusser|verr|mach|gibt keine aus|schweig)\w*{gap(6)}{_NO}",
        rf"{_SOURCE}{gap(6)}(?:{_SAY} )?(?:sich )?(?:\w+ ){{0,3}}{_NO}{gap(4)}(?:{_TOLD}|hervor|enthalten|vor\b"
        rf"|entnehmen|beantworten|ein\b|darauf|erwähnt|vorhanden|verfügbar|gefunden|abgedeckt)",
        rf"(?:^|\b(?:sagt|sagen|steht|enthält|enthalten|nennen|nennt|macht|machen|gibt|geben|liefert|liefern"
        rf"|beantwortet|beantworten|erwähnt|erwähnen|beschreibt|beschreiben|finden sich|findet sich|existieren"
        rf"|liegen|liegt|gehen|geht)){gap(4)}{_SOURCE}{gap(6)}{_NO}",
        rf"\b(?:sagt|sagen|steht|enthält|enthalten|nennen|nennt|macht|machen|gibt|geben|liefert|liefern|finden"
        rf"|findet)(?: \w+){{0,3}} {_NO} {few(3)}(?:in|aus|unter) {few(3)}{_SOURCE}",
        rf"\b{_NO}(?: \w+){{0,3}} {_SOURCE}{gap(8)}{_SAY}",
        rf"\bweder{gap(4)}{_SOURCE}{gap(6)}{_SAY}",
        rf"\b(?:ich|wir|mir|uns|man)\b{gap(10)}{_NO}{gap(8)}{_LEARN}",
        rf"\b(?:kann|konnte|können|konnten|darf|dürfen|möchte|will|werde) (?:ich|wir|man)\b{gap(6)}{_NO}{gap(6)}{_LEARN}",
        r"\b(?:weiss|wissen|wusste) (?:ich |wir |es |das |davon |darüber |leider |dazu |hierzu |auch )*(?:nicht|nichts)\b",
        r"\bich (?:weiss|kenne|finde|sehe|erkenne|entdecke)(?: \w+){0,4} (?:nicht|nichts|kein\w*)\b",
        r"\b(?:finde|sehe|fand) ich(?: \w+){0,6} (?:nichts|keine?n?|nicht)\b",
        rf"\b(?:hab(?:e|en)|verfüge|verfügen|besitze|besitzen)(?: ich| wir)?{gap(8)}(?:keine?n?|nicht genug"
        rf"|nicht genügend|nichts|nicht)\b{gap(4)}(?:{_INFO}|ahnung|zugriff|gefunden|zugang|finden|vorliegen)",
        rf"\b(?:liegen|liegt|lagen|stehen|sind) (?:mir|uns)\b{gap(6)}(?:keine?|nichts|nicht)\b",
        rf"\b(?:mir|uns) (?:liegen|liegt|lagen|fehl\w+|ist|sind|steh\w+)\b{gap(6)}(?:kein\w*|nichts|nicht|unbekannt"
        rf"|informationen|angaben|daten)\b",
        rf"\b(?:gibt es|es gibt|finden sich|findet sich|existieren|liegen|liegt|enthalten|wurden?|konnten?"
        rf"|gab es){gap(8)}(?:keine?n?|keinerlei|nicht genügend|nicht genug|zu wenig"
        rf"|kaum) (?:\w+ ){{0,2}}{_INFO}(?! (?:an dritte|verloren|gespeichert|erforderlich|nötig|notwendig"
        rf"|verlangt))",
        rf"\b(?:keine?n?|keinerlei|nicht genügend|nicht genug|zu wenige?) (?:\w+ ){{0,2}}{_INFO}{gap(8)}(?:gefunden"
        rf"|vorhanden|verfügbar|enthalten|vor|zu finden|finden|entnehmen|gegeben|genannt|gemacht|bekannt|möglich"
        rf"|angegeben|ersichtlich)\b",
        rf"^(?:leider |dazu |hierzu )?(?:keine?n?|keinerlei|nicht genügend) (?:\w+ )?{_INFO}(?: (?:dazu|hierzu"
        rf"|darüber|zu|über|in|verfügbar|vorhanden|gefunden|vorliegend)\b.*)?$",
        rf"(?<!muss )(?<!müssen )\b(?:wird|werden|ist|sind|wurden?|bleibt|war"
        rf"|waren)\b(?:,? (?!auf\b)[^ ,;:]+){{0,8}}? (?:nicht|nirgends|nirgendwo"
        rf"|nie)(?: \w+){{0,2}} {_TOLD}(?! werden)",
        rf"\b(?:wird|werden|ist|sind|wurden?|steht|stehen|lässt sich|findet sich|geht|taucht)\b{gap(6)}{_NO}{gap(4)}{_SOURCE}",
        rf"\bin{gap(4)}{_SOURCE}{gap(4)}(?:ist|sind|wird|werden|wurden?|war|konnten?|kann|können)\b{gap(6)}{_NO}",
        rf"\b(?:information|antwort|frage|auskunft|angabe|thema|das|dies|daten|informationen|anfrage"
        rf"|details)\w*{gap(6)}(?:ist|sind|kann|können|konnten?|wird|wurden?|liegen?|lässt)\b{gap(8)}(?:nicht"
        rf"|nirgends)\b{gap(4)}(?:enthalten|verfügbar|vorhanden|beantwortet|beantworten|beantwortbar|bekannt"
        rf"|gefunden|zu finden|zu entnehmen|abgedeckt|vor|gegeben|ermittelt|in den)\b",
        rf"\blässt sich\b{gap(10)}(?:nicht|nichts|kaum)\b{gap(3)}(?:entnehmen|beantworten|sagen|feststellen"
        rf"|ableiten|ermitteln|herauslesen|ersehen|beurteilen|erkennen|finden|klären)\b",
        rf"\b(?:nicht|un)(?: )?möglich\b{gap(8)}(?:zu (?:sagen|beantworten|bestimmen|beurteilen|ermitteln)|{_LEARN})",
        rf"\b(?:geht|gehen|ging)\b{gap(10)}nicht hervor",
        r"\bnicht hervorgeh\w*",
        rf"\b(?:schweig\w*|ausserhalb (?:dessen|des (?:umfangs|rahmens|themen\w*|bereichs) (?:der|des|dieser"
        rf"|meine\w*)|meine\w*|der (?:\w+ )?{_SOURCE}))",
        r"\b(?:da bin ich|bin ich leider) überfragt|\büberfragt\b|\bmuss ich passen\b|\bkeine ahnung\b"
        r"|\bmuss ich(?: \w+){0,3} ablehnen\b|\blehne ich ab\b|\bnicht in der lage\b(?!.*wenn)|\bausserstande\b",
        rf"\b(?:mir|uns)\b{gap(3)}(?:nicht|un)(?: )?bekannt\b|\bist nicht bekannt\b|\bbleibt (?:offen"
        rf"|unbeantwortet|ungenannt|unerwähnt)\b|\boffen ?gelassen\b|\blassen?(?: \w+){{0,2}} offen\b",
        rf"\b(?:{_SOURCE}){gap(8)}(?:fehl(?:en|t)|reich(?:en|t){gap(4)}nicht|(?:ist|sind) unzureichend"
        rf"|nicht aus(?:reichend)?|lückenhaft)\b",
        rf"\bfehl(?:en|t)\b{gap(4)}(?:{_INFO}|{_SOURCE})|^(?:\w+ )?{_INFO}{gap(5)}fehl(?:en|t)\b",
        r"\breich(?:en|t)(?: \w+){0,6} nicht(?: \w+)?(?: aus)?\b|\bnicht aus(?:reich\w*)?,? um\b",
        r"^(?:nicht|nirgends) (?:\w+ )?(?:angegeben|erwähnt|bekannt|genannt|gefunden|vorhanden|enthalten"
        r"|beantwortbar|spezifiziert|verfügbar|dokumentiert|im \w+)(?: .*)?$|^(?:unbekannt|keine (?:ahnung|antwort"
        r"|angabe|angaben|daten|information|informationen|auskunft)|k\. ?a)$",
    ),
    elided=any_of(
        rf"{_SAY}(?: \w+){{0,5}} {_NO}",
        rf"(?:wird|werden|ist|sind)(?: \w+){{0,4}} {_NO}(?: \w+)? {_TOLD}",
        rf".*\b(?:dort|darin|da|hierin|dabei)\b {few(2)}{_NO}",
    ),
    answers=any_of(
        r"\b(?:textfeld\w*|suchindex|quellcode|kontextmenü|kontextfenster)\b",
        r"\b(?:besag\w*|heisst es|schreib\w* vor|sag\w*|steht|weist|weisen|warn\w*)(?: \w+){0,6},? dass\b.*",
        r"\b(?:laut|gemäss|nach) (?:\w+ ){0,2}(?:handbuch|richtlinie|vertrag|dokument|text|unterlagen|anleitung|angaben)\b.*",
        r"\bdass\b[^,]*\bnicht (?:gefunden|erkannt)\b.*",
        r"^.*\ban dritte\b.*",
    ),
    condition=any_of(
        r"(?:^|(?<=[,:] )|(?<=und )|(?<=aber ))(?:wenn|falls|sofern|sobald|solange|immer wenn|für den fall"
        r"|bei fehlend\w+|ohne)\b[^,:?]*(?:[,:]|$)",
        r"^(?:ist|sind|wird|werden|findet|kann|können|hat|haben|sollte|sollten|fehlt|fehlen|wurde"
        r"|gibt es) [^,?]*, (?!die|der|das|was|welch)",
        r", (?:wenn|falls|sofern|sobald|solange|es sei denn)\b[^,]*",
    ),
    turn=any_of(
        r"(?:^|, )(?:aber|jedoch|allerdings|doch|obwohl|obgleich|hingegen|während|dennoch|trotzdem|wohingegen"
        r"|sondern)\b,?|[;—–]| - |, (?=(?:\w+ ){1,4}(?:aber|jedoch|allerdings|hingegen|dagegen)\b)"
        r"|, (?=sie (?:können|müssen)\b)| und (?=(?:nenn\w*|erwähn\w*|sag\w*) [^,]*(?:nicht|kein))"
    ),
    talk=any_of(
        r"(?:(?:es tut (?:mir|uns)(?: \w+)? leid|tut (?:mir|uns)(?: \w+)? leid|leider|entschuldig\w*|verzeih\w*"
        r"|sorry|ich bedaure|bedauerlicherweise|hallo|guten tag|danke|vielen dank|gerne?|bitte|hm+|nun|ja|nein"
        r"|sie)[,! ]*)+(?:für (?:die|das|ihre|den)\b[^:]*|, dass\b.*|$)",
        r"(?:bitte|wenden sie|kontaktieren|fragen sie|versuchen sie|schauen sie|prüfen sie|sehen sie|lesen sie"
        r"|sie (?:können|könnten|sollten) (?:sich|es|den|die|beim?|unter|auf)\b.*(?:wenden|fragen|kontaktieren"
        r"|nachsehen|nachschauen|versuchen|prüfen|suchen|erkundigen)|am besten|ich (?:empfehle|rate|helfe|schlage)"
        r"|gern|lassen sie|teilen sie|geben sie mir|stellen sie|für (?:weitere|nähere|genauere|mehr)\b|vielleicht"
        r"|konsultieren|suchen sie|es (?:wäre|ist) (?:ratsam|am besten)|sie fragen|ihre frage|die frage|(?:ich"
        r"|wir) hab\w* .*(?:durchgesehen|gesucht|geprüft|durchsucht|gelesen|nachgesehen|angesehen|durchgelesen)"
        r"|als (?:ki|assistent|sprachmodell))\b",
    ),
    about=any_of(
        rf"{_SOURCE}{gap(5)}(?:beschreib|behandel|erwähn|sprech|spricht|befass|geh|handel|bezieh|beschäftig"
        rf"|enth[aä]lt\w* (?:nur )?(?:informationen|angaben)|erläuter|erklär|nennt nur|nennen nur|thematisier"
        rf"|schilder|stell)\w*",
        r"\b(?:sie|es|dort|darin|diese|dieser) \w+ (?:nur|lediglich|ausschliesslich)\b",
        rf"(?:nur|lediglich|zwar)\b{gap(5)}(?:beschrieben|erwähnt|behandelt|genannt|thematisiert)",
    ),
)
