"""How English says that a source or the speaker does not know."""

from harness.generation.refusals_wording import Wording, any_of, few, gap

_STRONG = (
    r"\b(?:passages?|contexts?|excerpts?|snippets?|knowledge ?base|documents|sources?|materials?|documentation|docs"
    r"|search results?|results|texts?|extracts?|corpus|database|library|collection"
    r"|information (?:provided|given|available|supplied|i have|at hand|here|shared)|data (?:provided|given"
    r"|available)|(?:provided|given|retrieved|available|supplied|uploaded|attached) [a-z]+)"
)
_MANUAL = r"\b(?:document|manual|guide|handbook|faqs?|articles?|readme|wiki|notes|files|transcript|instructions|manuals|guides)"
_WEAK = (
    r"\b(?:policy|policies|report|pages?|website|contract|agreement|terms|data ?sheet|catalogu?e"
    r"|spec(?:ification)?s?|paper|section|file|records?|release notes|book|leaflet|brochure|rules|email|table"
    r"|chapter)"
)
_SOURCE = rf"(?:{_STRONG}|{_MANUAL}|{_WEAK})\b"
_INFO = (
    r"(?:information|info|details?|mention|reference|data|answers?|records?|figures?|guidance|indication|explanation|specifics"
    r"|instructions|entry|entries|statement|clue|hint|documentation|description|discussion|context|knowledge"
    r"|passages?|documents?|sources?|results?|way of (?:knowing|telling)|basis|insight)\b"
)
_GOES_ON = (
    r"(?=[.,;:!) ]*$| (?:about|on|regarding|concerning|of|for|as to|in|to|here|available|given|provided|found"
    r"|how|why|what|whether|who"
    r"|where|when|which|relat\w+|specific\w*|pertaining|there|with|that (?:address|cover|mention|would|answer"
    r"|say|state|explain|descri|indicat)\w*|at (?:hand|all)|[a-z]+ing)\b)"
)
_SOME = (
    r"(?:\w+ly )?(?:any |enough |sufficient |the |that |such |this |a |an |specific |direct |explicit "
    r"|further |relevant |more |clear |detailed |additional |particular |much |single |exact |adequate "
    r"|concrete |reliable |such |(?:\w+ )?(?:or|and) \w+ )*"
)
_SAY = (
    r"(?:mention|say|state|specif(?:y|ies)|tell|explain|clarify|clarifies|indicate|discuss|describe|reveal"
    r"|disclose|elaborate|answer|refers? to"
    r"|speak|go(?:es)? into|address|talk|touch(?:es)? (?:on|upon)|note|break down|spell out|quantify"
    r"|comment)(?:e?s)?\b(?! (?:all|every|only|just)\b)"
)
_GIVE = (
    r"(?:list|give|name|detail|report|show|make|cover|identify|set out|record|confirm|establish|suggest"
    r"|help)(?:e?s)?\b(?! (?:all|every|only|just)\b)"
)
_HAVE = (
    r"(?:contain|include|provide|have|hold|offer|cover|supply|present|feature|carry|seem|appear)s?\b(?! (?:all"
    r"|every|only|just)\b)"
)
_NEGATED = (
    r"(?:(?:do|does|did|has|have|could|would|is|are)(?: not|n't)|cannot|can't|can not|never|fails? to"
    r"|failed to|nowhere|neither|omits? to)"
)
_ADVERB = r"(?: (?:also|simply|just|\w+ly|seem to|appear to|anywhere|even|further|in any way|really))*"
_TOLD = r"(?:mentioned|stated|specified|described|discussed|addressed|documented|explained|clarified|spelled out)\b"
_HELD = (
    rf"(?:given|provided|included|covered|listed|found|contained|available|present|answered|named|indicated"
    rf"|part of|recorded|disclosed|detailed|referenced|defined|quantified|{_TOLD})"
)
_UNABLE = (
    r"(?:(?:can|could) not|couldn't|can't|cannot|(?:am|'m|are|'re|was|were|is|be)(?: \w+ly)?(?: not"
    r"|n't) (?:\w+ly )?able to|(?:am|'m|are|'re|was|were) (?:\w+ )?(?:unable|not able|powerless) to|unable to"
    r"|not able to"
    r"|(?:did|do|does)(?: not|n't)(?: seem to| manage to)?|failed to|(?:wo|will)(?: not|n't)(?: be able to)?)"
)
_LEARN = (
    r"(?:find|locate|answer|determine|tell|say|see|confirm|verify|identify|establish|know|help|assist|infer"
    r"|conclude|comment|speculate|guess|work out|figure out|derive|deduce|judge|discover|spot|be (?:sure"
    r"|certain)|get (?:that|this)|address|respond|pinpoint|ascertain|advise|respond|come across|look)\b"
)
_FIRST_ONLY = (
    r"(?:provide|give|offer|share|discuss|write|recommend|create|produce|generate|fulfil+|comply|do (?:that"
    r"|this|so)|access|predict|state|specify|support|engage|participate|look up|recall|name|point|explain"
    r"|describe|process|complete|supply|cite|make|go into|speak|talk|list|calculate|estimate|compare"
    r"|summari[sz]e|translate|claim|suggest|disclose|carry out|perform|see|list|open|read|view|retrieve)\b"
)
ENGLISH = Wording(
    cue=any_of(
        r"n't\b|\b(?:not|no|none|nothing|nowhere|neither|nor|never|cannot|un\w+|short|too"
        r"|lack\w*|silent|decline|refuse|insufficient|outside|beyond|missing|absent|omit\w*|fail\w*|impossible"
        r"|only|little|without|empty|n/a|rather|open|unfamiliar|incapable|say|stumped|leaves?)\b"
    ),
    lacks=any_of(
        rf"\b(?:none|neither|not one) of (?:them|these|those|which)\b{gap(2)}(?:{_SAY}|{_GIVE}|{_HAVE})",
        r"\bi (?:\w+ly |also |still |really |just |simply )*(?:cannot|can't|can not|(?:am|'m) (?:\w+ly )?(?:unable|not able) to|won't be able to)\b"
        r"(?! (?:wait|resist|stress|emphasi[sz]e|overstate|recommend \w+(?: \w+)? enough|help (?:but|feel|\w+ing)|imagine|believe|afford|live)\b)",
        rf"\b(?:this|the|an) (?:ai |virtual )?(?:assistant|chatbot|bot|model) (?:{_UNABLE}|is not|isn't)",
        r"\b(?:it|they|which) (?:say|tell|mention|reveal)s?(?: \w+){0,2} (?:nothing|little)\b",
        rf"{_SOURCE}{gap(8)}{_NEGATED}{_ADVERB} {_SAY}",
        rf"(?:{_STRONG}|{_MANUAL})\b(?:,? (?!(?:what|which|how|when|why|if|whether|who|must|should|may|(?:explain"
        rf"|describe|say|state|list|give|show|tell|mention|name|warn|note|cover|discuss)s?)\b)[^ ,;:]+){{0,6}}?,? "
        rf"(?:(?:do|does|did|could)(?: not|n't)|cannot|can't|never|fails? to)\b{_ADVERB} \w+(?! (?:all|every|only|just)\b)",
        rf"{_SOURCE}{gap(5)}(?:stops?|falls?|comes?) short\b|\b(?:goes?|remains?|left|stays?|is"
        rf"|are) (?:un(?:answered|mentioned|said|stated|addressed|specified|documented|explained)|a blank)\b",
        rf"\b(?:it|they|this|these|those|neither|none|one of (?:them|these|those)) {_NEGATED}{_ADVERB} {_SAY}(?! (?:up|for))",
        rf"\b(?:it|they) (?:only )?(?:give|contain|provide|offer|have|has|make|hold|include)s? (?:no|nothing"
        rf"|not any) {_SOME}(?:[\w-]+ ){{0,1}}?{_INFO}",
        rf"\bno (?:evidence|sign|trace|hint|proof|word){gap(5)}(?:in|from) {few(3)}{_SOURCE}",
        rf"{_STRONG}{gap(5)}{_NEGATED}{_ADVERB} {_HAVE}",
        rf"{_MANUAL}{gap(5)}{_NEGATED}{_ADVERB} {_HAVE}(?: to (?:be|have|contain|include|\w+))?{_ADVERB} (?:any|the|an?"
        rf"|this|that|such|enough|sufficient|anything|{_INFO}|\w+ {_INFO})",
        rf"{_WEAK}{gap(5)}{_NEGATED}{_ADVERB} {_HAVE}{_ADVERB} (?:any ?thing|{_SOME}{_INFO})",
        rf"\bnone of (?:the |these |those |my |your |our )?{few(3)}{_SOURCE}(?! (?:are|is|was|were|may|must|can"
        rf"|need)\b)|(?:not|n't) be (?:appropriate|right|able|possible|proper) for me\b",
        rf"\b(?:in|from|by|within|among) (?!order\b){few(3)}(?:{_STRONG}|{_MANUAL})\b{gap(8)}(?:(?:is|are|was|were"
        rf"|there's|there is|there are|i see|i find)(?: not|n't)? )?(?<!and )(?:no|nothing|nowhere|not|never|n't)\b(?! only)",
        r"\btoo (?:brief|vague|general|short|terse|sparse|thin|limited|little|ambiguous)\b(?: \w+){0,4} to (?:tell"
        r"|say|answer|determine|know|judge|decide|conclude|work|establish)",
        rf"\bno {_SOURCE} (?:gives?|lists?|names?|reports?|shows?|records?)\b",
        rf"\b(?:none|no|any|not (?:a single )?one) (?:of (?:the|these|those|my|your"
        rf"|our) )?(?:\w+ )?{_SOURCE}{gap(8)}(?:{_SAY}|{_HAVE}|{_TOLD}|answers?\b)",
        rf"\bneither (?:the |of )?(?:\w+ ){{0,4}}?{_SOURCE}{gap(8)}(?:{_SAY}|{_HAVE})",
        rf"\b(?:there (?:is|are|was|were|'s|seems to be|appears to be)|there's|(?:i|we)(?: (?:currently|also|really"
        rf"|simply))? (?:have|had|see|saw|found|find|can find|could find|hold|got)|i've (?:found|got|seen)) "
        rf"(?:no|little|nothing|not(?: any| enough| sufficient)?|insufficient"
        rf"|too little) {_SOME}(?:[\w-]+ ){{0,2}}?{_INFO}{_GOES_ON}",
        rf"\bthere (?:is|are|was|were)(?:n't| not) {_SOME}(?:[\w-]+ ){{0,2}}?{_INFO}{_GOES_ON}",
        r"\b(?:i|we) (?:have |could |can )?(?:found|find|see|saw|seen) (?:nothing|no\b)(?! (?:difference"
        r"|significant|effect|correlation|change|evidence that))",
        rf"{_SOURCE}{gap(8)}(?:contain|provide|give|offer|have|has|hold|include|make|present|supply|carry|reveal"
        rf"|yield|return)(?:e?s|ed)? (?:no|nothing|little|insufficient|not enough|too little)\b(?! (?:stop"
        rf"|personal))",
        rf"{_SOURCE}{gap(8)}(?:say|tell|mention|state|reveal|indicate|specify|suggest|disclose"
        rf"|explain)s?(?: \w+){{0,2}} (?:nothing|little)\b",
        rf"\bno {_SOME}(?:[\w-]+ ){{0,2}}?{_INFO}{gap(8)}(?:available|found|given|provided|included|mentioned|present"
        rf"|supplied|on file|contained|stated|listed|offered|in {_SOURCE})(?! (?:to (?:third|others|any|part|out)"
        rf"|offline|until|before|during|while))",
        rf"^(?:sorry, )?(?:no|insufficient|not enough) {_SOME}(?:[\w-]+ ){{0,2}}?{_INFO}(?: (?:about|on|regarding"
        rf"|concerning|for|available|found|given|provided|here|in)\b.*)?$",
        rf"\bnothing{gap(8)}(?:says?|mentions?|states?|indicates?|specif\w+|tells?|suggests?|covers?|explains?"
        rf"|address\w*|describes?|confirms?|points?)\b",
        r"(?:^|\b(?:is|'s|i|find|found|see|saw|have|know|there) )nothing (?:specific |useful |relevant |concrete "
        r"|further )?(?:about|on|regarding|concerning|related)\b",
        rf"\b(?:nothing|no match\w*|no hits|no mention) (?:(?:was |were |is |can be |could be )?(?:found|returned"
        rf"|said|stated|made|given)|in (?:these|my|your|our)|in (?:the )?{few(2)}{_SOURCE})\b",
        r"\b(?:silent (?:on|about|as to|regarding|concerning)|(?:is|are|remains?|stays?|mostly|entirely"
        r"|completely) silent\b|came up empty|draw(?:s|ing)? a blank|(?:i'm|am) stumped|no mention of"
        r"|no reference to)",
        rf"(?<!that )(?<!which )(?<!who )(?:\b(?:is|are|was|were|has|have been|been|being|'s|'re)|'s|'re)(?:n't"
        rf"| not| never| nowhere)(?: been)?(?: (?:\w+ly|to be|anywhere|even|further))* {_TOLD}(?! (?:to|for|before"
        rf"|until|on (?:the|its)) )",
        rf"\b(?:is|are|was|were|has|have|been|can|could|be)(?:n't| not| never| nowhere)(?: been| be)?(?: (?:\w+ly"
        rf"|to be|anywhere|even|further))* (?:{_HELD}|in|among|within|there in){gap(5)}{_SOURCE}",
        rf"\b(?:cannot|can't|could not|couldn't|can not) be (?:{_HELD}|determined|inferred|derived|established"
        rf"|confirmed|verified|deduced|concluded|ascertained|known|told|worked out|identified|seen) (?:in|from"
        rf"|based on|by|with|using|on the basis of) {few(4)}(?:{_SOURCE}|information)",
        rf"\b(?:cannot|can't|could not|couldn't|can not|was not|wasn't|were not|weren't|is not|isn't|are not"
        rf"|aren't) (?:be )?(?:located|found|traced|discovered|seen|identified|retrieved|anywhere|listed|given"
        rf"|there)(?: anywhere)? (?:in|among|within|from) (?:there\b|{few(4)}{_SOURCE})",
        r"\b(?:is not|isn't|are not|aren't|wasn't|weren't) (?:anywhere )?in (?:there|here|any of (?:them|these|those|the))\b",
        rf"\b(?:not|n't) (?:something|anything) (?:that )?(?:i|we|they|(?:the|my|our|these) {few(2)}{_SOURCE})\b",
        rf"\b(?:information|answer|question|details?|topic|subject|point|figure)s? {few(6)}(?:(?:is|are|was|were"
        rf"|could|has|does|do)(?: not|n't)|cannot|can't|can not)(?: been| be)?(?: \w+ly)*"
        rf" (?:available|answered|provided|given|included|covered|found|in (?:the|my|our|these)|contained|present"
        rf"|something (?:i|we|the|my|that)|known to me|part of|listed|answerable|anything (?:i|the)|appear"
        rf"|to be found|within|supplied|determined (?:from|based))\b(?! (?:over|by (?:phone|tele\w+|e?mail)"
        rf"|to (?:third|others|any)|via|until|before|for any))",
        rf"\b(?:this|that|it|these|those) (?:cannot|can't|can not|could not|couldn't|is not"
        rf"|isn't) (?:\w+ly )?(?:be answered|(?:something|anything|one|a \w+) (?:(?:that )?(?:i|we)|my"
        rf"|the (?:\w+ )?{_SOURCE}))",
        rf"\b(?:that|this|it)(?:'s| is) (?:not |n't )?(?:something|one|a question) (?:that )?(?:i|we"
        rf"|the (?:\w+ )?{_SOURCE}) (?:\w+ )?(?:can't|cannot|don't|do not|doesn't|does not|am not|am unable)",
        r"\bit (?:is|'s|was)(?: \w+ly)? (?:not (?:\w+ly )?possible|impossible|not clear|unclear|unknown|not known"
        r"|not stated|not said)(?: for me)?(?: to (?:say|tell|answer|know|give))\b",
        rf"\b(?:not (?:\w+ly )?possible|isn't possible|impossible|unclear|not clear|isn't clear|no way|not obvious"
        rf"|unknown|unspecified|not evident|hard to say)(?: for me)?{gap(10)}(?:in|from|based on|by|given|with"
        rf"|using) {few(4)}{_SOURCE}",
        r"\b(?:it isn't|it's not) possible (?:for me )?to (?:say|tell|answer|know)\b",
        rf"(?:^(?!do|does|will|won)|\b(?:i|i'm|we|we're|sorry|so|therefore|unfortunately),? (?!(?:do|does|will"
        rf"|won't)\b (?!not)))(?:(?:currently|also|still|really|simply|unfortunately|therefore|sorry|afraid|sadly"
        rf"|honestly|regrettably),? (?:that )?(?:i |we |but )*)*{_UNABLE} (?:\w+ly |even |seem to )*{_LEARN}"
        r"(?! (?:(?:any|a) )?(?:significant |statistical )?(?:difference|effect|correlation))",
        rf"\b(?:i|i'm|i am),? (?:(?:currently|also|still|really|simply|unfortunately"
        rf"|therefore),? )*{_UNABLE} (?:\w+ly )*{_FIRST_ONLY}(?! (?:enough|refunds?))",
        rf"\b(?:we|we're|we are) {_UNABLE} (?:\w+ly )*(?:provide|give|offer|share"
        rf"|supply) (?:you )?(?:with )?{_SOME}(?:\w+ ){{0,2}}?(?:{_INFO}|advice)",
        rf"\b(?:i|we)(?: \w+ly| really| also| still| just)* (?:(?:do|did)(?: not|n't)|have not been|haven't been"
        rf"|have never|haven't|have not)(?: \w+ly| really| even| seem to)* (?:know"
        rf"|have (?:{_SOME}(?:[\w-]+ ){{0,2}}?{_INFO}|access|that|this|it|anything)|got|see|given|recall|find|found"
        rf"|seen|come across)\b",
        rf"\b(?:i|we) (?:currently |also |still |do )?lack {_SOME}(?:[\w-]+ ){{0,2}}?(?:{_INFO}|ability|means|access)",
        r"\b(?:i|we)(?: really)? (?:have|'ve)(?: got)? (?:no|zero) (?:idea|way of|knowledge|access|clue|record"
        r"|basis|answer|means|\w+ information|information|details|data)\b",
        r"\bi(?: am|'m)(?: \w+ly)? (?:not (?:\w+ly )?(?:sure|certain|aware|familiar|in a position|allowed"
        r"|permitted|authori[sz]ed|comfortable|qualified|going to|equipped|designed|the right)|unaware|unsure"
        r"|uncertain|unfamiliar)\b",
        r"\bi (?:(?:must|have to|need to|will|'ll|should|am going to|'d have to|would have to|respectfully"
        r"|politely) )*(?:decline|refuse)\b|\bi(?:'d| would)(?: really)? rather not\b|\bi(?:'d"
        r"| would) prefer not\b|\bnot something i(?:'m| am)? (?:\w+ )?(?:can|could|know|have|able|will|do)\b",
        r"\bi (?:can |am |'m )?only (?:have|answer|help|assist|discuss|provide|able|allowed|know)\b",
        rf"\b(?:not enough|insufficient|inadequate|too little|isn't enough|aren't enough"
        rf"|too vague){gap(4)}(?:to (?:answer|say|tell|determine|know|work|calculate|conclude|judge|decide|identify"
        rf"|give|provide|establish|compute|draw)|for (?:me|an answer))\b",
        rf"{_SOURCE}{gap(6)}(?:(?:is|are|does|do)(?: not|n't) (?:\w+ )?(?:enough|suffic\w+|adequate)|(?:is"
        rf"|are) (?:insufficient|inadequate|too \w+))",
        rf"{_SOURCE}{gap(6)}(?:lacks?(?! of)|omits?|leaves? (?:open|this|that|it|the question)|(?:is|are) missing"
        rf"|miss(?:es)?|(?:stops?|falls?) short|(?:is|are) without|skips?)\b",
        rf"\b(?:missing|absent|omitted|left out) (?:from|in){gap(3)}{_SOURCE}",
        r"\b(?:leaves? (?:it|this|that) open|left open|left unsaid|left unanswered|(?:remains?|is"
        r"|are) (?:unspecified|unstated|undocumented|unanswered|unmentioned)|go(?:es)? unmentioned)\b",
        rf"\b(?:outside|beyond)(?: of)? (?:(?:the |my )?(?:scope|coverage|remit|expertise|knowledge"
        rf"|capabilities)(?:$| (?:of|covered by) (?:what|my|this (?:assistant|service|chat)|{few(4)}{_SOURCE})|,)"
        rf"|what (?:i|the|is|these|was|my|our)|my|the (?:\w+ )?{_SOURCE})",
        r"\b(?:not|n't) (?:with)?in (?:the )?scope\b|\bout of scope\b",
        r"\bnowhere (?:in|is|does|do|to be|are)\b",
        r"\b(?:appears?|mentioned|stated|found) nowhere\b",
        rf"\b(?:this|that|it|answer|information|question){gap(4)}(?:does|do)(?: not|n't) (?:appear|seem|feature"
        rf"|show up|occur){gap(6)}{_SOURCE}",
        r"^(?:answer )?(?:unanswerable|unknown|not (?:\w+ly )?(?:found|stated|specified|mentioned|available|given"
        r"|provided|known|answerable|documented|covered|applicable|disclosed|in the \w+)(?: (?:in|by|here"
        r"|anywhere)\b.*)?|no (?:idea|answer|clue|information|info|data|mention|details|match"
        r"|results?)(?: (?:available|found|given|provided|here))?|n/a|no comment|can't say|cannot say|couldn't say"
        r"|hard to say|can't help(?: with that| you there)?)$",
    ),
    elided=any_of(
        rf"(?:it |they )?(?:(?:do|does|did)(?: not|n't)|never|fails? to){_ADVERB} (?:{_SAY}|{_GIVE}|{_HAVE})",
        rf"(?:give|contain|provide|offer|make)s? no {_SOME}(?:[\w-]+ )?{_INFO}",
        rf"(?:is|are|was|were)(?: not|n't){_ADVERB} {_HELD}",
        r".*(?:not|n't)(?: \w+ly)?(?: to be)?(?: found| mentioned| given| listed| in)? (?:there|it|them|here"
        r"|among them)$",
    ),
    answers=any_of(
        r"\b(?:says?|said|states?|stated|explains?|notes?|warns?|mentions?|suggests?|shows?|indicates?|found"
        r"|specif(?:y|ies)|stipulates?|reports?|confirms?|claims?|according to)(?: \w+){0,2} that (?!i\b|we\b).*",
        r"\b(?:i|you|we) can(?:not|'t) (?:stress|emphasi[sz]e|recommend|overstate)(?: \w+){0,3} enough",
        r"^.*\b(?:to|for|with) third parties\b.*",
        r"\b(?:users?|people|customers|visitors|those|anyone|employees|guests|members) who\b[^,]*",
        r"\b(?:that|which|who) (?:are|is|was|were|do|does|has|have)(?: not|n't)\b[^,]*",
        r"\b(?:because|since|as) (?:it|the \w+|they) (?:cannot|can't|could not|couldn't|did not|didn't) (?:find"
        r"|locate|determine)\b",
        r"\b(?:text|input|search) (?:fields?|box|index|bar)|source code|context (?:window|menu|manager)|(?:data"
        r"|record) (?:loss|limit|type)|data (?:is|are|was|were|will be) (?:lost|stored|shared|sent|collected)"
        r"|answer key|reference numbers?|text messages?|file (?:size|name|type)|records? player",
    ),
    condition=any_of(
        r"(?:^|(?<=[,;] )|(?<=and )|(?<=but )|(?<=that ))(?:even )?(?:if|when|whenever|unless|in case|where|once"
        r"|as long as|provided that|should (?:the|you|your|a|an|it|this))\b[^,?]*(?:,|$)",
        r" (?:if|when|whenever|unless|in case|until|even if) (?!that\b|any\b|so\b)[^,;]*",
    ),
    turn=any_of(
        r"(?:^|[ ,;])(?:but|however|though|although|while|whereas|yet|nevertheless|instead|still,|that said"
        r"|even so|otherwise|whilst|despite)\b,?",
        r"[;—–]| - |, (?:and|so|therefore) (?=(?:therefore )?(?:i|we) )|, and (?=(?:you|it|this|we|they) )"
        r"| and (?=(?:does|do|did|is|are)(?: not|n't)\b)",
    ),
    talk=any_of(
        r"(?:(?:i'm|i am|we're|we are|so|very|really|sorry|apolog\w+|alas|unfortunately|my|our|please|regret\w*"
        r"|sadly|well|hmm+|hello|hi|hey|thanks?|thank you|ok(?:ay)?|sure|of course|great|good|dear|i|we|must|do"
        r"|afraid|yes|no)[,! ]*)+(?:for (?:the|your|any|this|that|asking|reaching)\b[^:]*|to hear\b.*"
        r"|about (?:that|this)|question|$)",
        r"(?:so|therefore|thus|hence|because of (?:this|that))$|(?:please|kindly|feel free|let me know|try|contact"
        r"|consult|ask|reach out|refer|check|rephras\w+|visit|happy to|glad to|perhaps|maybe)\b",
        r"(?:you (?:may|might|could|can|should|'ll|will|'d|would)(?: also| need to| want to| wish to| like to"
        r"| have to| be able to find| find)*|i(?:'d|'ll| would| will| can| could)?(?: \w+)? (?:recommend|suggest"
        r"|advise|encourage)|it (?:may|might|would) be (?:best|better|worth"
        r"|helpful)\b.*?) ?(?:that )?(?:you )?(?:to )?(?:contact\w*|consult\w*|check\w*|refer\w*|ask\w*|reach\w*"
        r"|visit\w*|try\w*|look\w*|rephras\w*|speak\w*|see\w*|search\w*|provid\w*|shar\w*|turn\w*|more|it in"
        r"|that in|get in touch|review\w*|talk\w*)\b",
        r"(?:i (?:can|could|will|'ll|would|'d|am|'m)|i'd|i'll|i'm|we'd|we'll)(?: \w+)* (?:happy|glad|help|assist"
        r"|look|take|try)\b",
        r"(?:for (?:more|further|that|this|accurate|any|additional|such)\b.*(?:contact|consult|visit|see|check"
        r"|refer|ask|recommend|need)|it (?:may|might) be worth|a doctor|seek|see a|see your|i hope|i understand"
        r"|you asked|your question|the question|as an? (?:ai|assistant|language)|based on (?:the|my|these)"
        r"|more (?:information|details|context) (?:is|would|may)|i(?:'d| would) need|i(?: have|'ve)? (?:searched"
        r"|looked|checked|reviewed|went|gone|read|been|examined|scanned|consulted)|having|you(?:'re| are)? (?:want"
        r"|wanted|asking)|as far as)\b",
    ),
    about=any_of(
        rf"{_SOURCE}{gap(6)}(?:discuss|describe|cover|mention|talk|focus|deal|refer|address|concern|relate|explain"
        rf"|touch|outline|detail|contain (?:\w+ )?information|provide (?:\w+ )?(?:information|details)"
        rf"|give (?:\w+ )?(?:information|details)|list|speak|cite|present|document|include|trace|introduce"
        rf"|report)(?:e?s)?\b(?! that\b)",
        r"\b(?:they|it|these|this|those|the (?:text|rest)) (?:(?:only|mainly|mostly|just|merely|primarily|instead"
        r"|do|does) )+\w+\b(?! that\b)",
        r"\b(?:they|it) (?:deal|focus|cover|concern|describe|discuss|talk|address|relate|refer)(?:e?s)?\b(?! that\b)",
        rf"{_SOURCE}{gap(4)}(?:is|are) (?:\w+ly )?(?:about|limited|related|focused|only|concerned)\b",
        rf"(?:mentioned|described|discussed|covered|referred to|touched on|listed)(?:{gap(5)}{_SOURCE}|$)",
    ),
)
