"""English patterns of one sentence that asks for several things. Each takes a sentence of bounded length."""

import re

_AUXILIARY = "is|are|was|were|do|does|did|can|could|may|must|should|will|would|has|have"
_PERSON = "i|we|you|one|they|it|he|she"
_DETERMINER = "the|an?|my|our|your|his|her|its|their|this|that|these|those"
_WH = "what|which|who|whom|whose|when|where|why|how|whether"
_VERBS = (
    "accept|activate|add|apply|ask|attach|book|buy|calibrate|cancel|change|charge|check|claim|clean|clear|close|configure|connect|"
    "convert|copy|cost|create|cut|deactivate|delete|deliver|disable|download|drive|earn|edit|enable|enter|exchange|export|extend|"
    "file|fill|find|fit|fix|get|give|import|insert|install|keep|last|leave|lift|list|mail|measure|migrate|mount|move|need|open|"
    "order|pay|post|print|publish|read|receive|record|reduce|register|remove|rename|renew|rent|repair|replace|report|request|"
    "require|reset|restart|restore|return|run|save|sell|send|set|share|ship|sign|start|stop|store|submit|support|switch|take|test|"
    "track|transfer|turn|update|upgrade|upload|use|wash|weigh|withdraw|work|write"
)
_PLACE = "in|on|at|to|of|for|from|by|with"
_NO_VERB = rf"(?!(?:{_DETERMINER}|{_PERSON}|{_WH}|{_AUXILIARY}|in|on|at|to|of|for|from|by|with|without|as|all|both|not|no|any|some|every|each)\b)"

QUESTION_FOLLOWS = re.compile(
    rf"(?P<and>,? (?:and|or|but)(?: also| then)?,?|;|,) (?=(?:{_WH})\b|(?:{_AUXILIARY}) (?:{_PERSON}|there|{_DETERMINER})\b)",
    re.IGNORECASE,
)
"""Between two questions: `What does that stand for | and | what will I be charged?`"""

ASKS = re.compile(rf"(?:what|which|who|whose|how|why)\b|(?:{_AUXILIARY}) (?:{_PERSON}|there|{_DETERMINER})\b", re.IGNORECASE)
"""The start of a question; `when it rains, who pays` begins with none."""

ASKED = re.compile(
    rf"\b(?:what|which|who|whom|whose|how|why)\b|^(?:.*, )?(?:{_AUXILIARY})\b|(?:^|\b(?:until|since|from|by|to|and) )(?:when|where)\b",
    re.IGNORECASE,
)
"""In a clause that asks; `Imperialism extends a power | and | what?` asks once."""

VERB = re.compile(rf"\b(?:{_AUXILIARY})\b", re.IGNORECASE)
"""In a clause on each side of a bare comma: `What read timeout, in seconds, does the client set` is one question."""

RELATIVE = re.compile(
    rf"(?:which|who|whom|whose|where|when)\b(?! (?:(?!(?:{_AUXILIARY})\b)[\w-]+ ){{0,3}}(?:{_AUXILIARY}) (?:{_PERSON}|there|{_DETERMINER})\b)",
    re.IGNORECASE,
)
"""After a bare comma: says more of what stands before it, `the probe, which is white`."""

RELATIVE_TOO = re.compile(
    rf"(?:which|who)\b(?: (?:{_PLACE}|{_AUXILIARY}|{_PERSON}|{_DETERMINER}|not|never|often|only)\b)", re.IGNORECASE
)
"""After `and` or `but` that follows a relative clause: another one, `that cannot be solved, but which in practice take long`."""

RELATIVE_CLAUSE = re.compile(r"\w (?:that|which|who) ", re.IGNORECASE)
"""A relative clause."""

LIST_END = re.compile(r"(?:what|who|whom|which|how many|how much)(?: (?:else|others?|kinds?|types?)\b.*)?$", re.IGNORECASE)
"""The gap at the end of an enumeration, `heat, light and what else`."""

OPEN_END = re.compile(rf"\b(?:{_WH}|{_AUXILIARY}|{_DETERMINER}|and|or|if|know|tell me)$", re.IGNORECASE)
"""What no question ends with: `Do you know when | and | where it was published?`"""

FRAME = re.compile(
    rf"(?P<frame>(?:(?:what|when|where|why|which \w+|how(?: \w+)?) )?(?:do|does|did|can|could|may|must|should|will|would) "
    rf"(?:{_PERSON}|(?:{_DETERMINER}) [\w-]+(?! [\w-]+ (?:of|be)\b)) (?:(?:need|have|want|like|try) to )?|how to )(?P<done>.+)",
    re.IGNORECASE,
)
"""What two verbs share: `Can I | return this and change my address`."""

VERB_FOLLOWS = re.compile(
    rf",? and (?:also |then )?(?=(?:{_VERBS})\b(?! (?:and|of|is|are|for)\b)|{_NO_VERB}[a-z]+ (?:{_DETERMINER}|it|them|me|us)\b)",
    re.IGNORECASE,
)
"""Before a second verb: a word of the list, or one that has an object."""

PURPOSE = re.compile(rf"\bto (?:{_VERBS})\b|\bfor .+ to [a-z]", re.IGNORECASE)
"""An infinitive, to which a second verb belongs: `for a probe to doubt it and measure again`."""

_CODE = rf"(?:(?:{_DETERMINER}) )?\b(?!(?:early|mid|late)-)(?=\w*[A-Za-z][\w-]*\d|\w*\d\w*-\w*[A-Za-z])[\w-]+"
_THING = rf"(?:{_DETERMINER}) [\w-]+(?: (?!(?:and|or|{_AUXILIARY}|{_PLACE}|{_VERBS})\b)[\w-]+)?"
_AFTER = rf"(?=\s*[?.!,;]|\s*$| (?:{_AUXILIARY}|{_PLACE}|{_VERBS}|going|together|each|both)\b)"
THINGS = re.compile(
    rf"(?:(?P<codes>{_CODE}(?:, {_CODE})*,? (?:and|or) {_CODE})"
    rf"|(?P<things>\b{_THING}(?:, {_THING})*,? and {_THING}){_AFTER})",
    re.IGNORECASE,
)
"""Codes, or things with an article each, of which the same is asked: `the AQ-210 and the NL-110`; decades are no codes."""

TOGETHER = re.compile(
    r"\b(?:together|altogether|in total|in all|combined|at once|at the same time|simultaneously|each other|one another|differences?|compar\w+)\b",
    re.IGNORECASE,
)
"""Asks of several things as one."""

BETWEEN = re.compile(rf"\b(?:between|both|either|neither)(?: (?:{_DETERMINER}))? ?$", re.IGNORECASE)
"""What stands before two things that are asked of at once."""

NAMED_APART = re.compile(rf" (?:{_PLACE})\b", re.IGNORECASE)
"""What belongs to the last of several things with names alone: `the President and the High Representative for Trade`."""

TITLE = re.compile(r"\b[A-Z][a-z]+\b")
"""A word of a name, not of a code."""

AND = re.compile(r",? (?:and|or) |, ", re.IGNORECASE)
"""Between the members of an enumeration."""

_ASPECT = r"(?P<tail> (?:in terms of|with regard to|regarding|when it comes to|for|on) .+)?"
_REQUEST = (
    r"(?:(?:please|can|could|would|will|you|i|we|want|like|need|to|let's|let|us|me|help|how|do|does|one|a|an|any|the|give|make|show"
    r"|tell|explain|describe|know|what|what's|is|are|there|main|key|major|biggest|quick|short)\W+)*"
)
_NAMES = r"(?-i:[A-Z])[\w-]*(?: (?-i:[A-Z\d])[\w-]*)*"
_THE_TWO = r"(?P<a>(?:(?!\band\b).)+?)"
_OTHER = r"(?P<b>(?:(?!\b(?:and|with|against|versus)\b).)+?)"
COMPARED = (
    re.compile(
        rf"{_REQUEST}(?:compare|comparison (?:of|between)) {_THE_TWO} (?:with|to|and|against|versus|vs\.?) {_OTHER}{_ASPECT}",
        re.IGNORECASE,
    ),
    re.compile(rf"{_REQUEST}differences? between {_THE_TWO} and {_OTHER}{_ASPECT}", re.IGNORECASE),
    re.compile(rf"(?P<a>(?:(?!\b(?:{_WH})\b).)+?) (?:vs\.?|versus) (?P<b>.+?){_ASPECT}", re.IGNORECASE),
    re.compile(
        rf"(?P<tail>(?:what|which) (?:(?!\b(?:first|last|earlier|later)\b)[^,:])+?)[,:] "
        rf"(?P<a>(?:{_DETERMINER}) [^,]+?|{_CODE}|{_NAMES}),? or (?P<b>(?:{_DETERMINER}) .+?|{_CODE}|{_NAMES})",
        re.IGNORECASE,
    ),
)
"""Two things that a request compares, and in what; which of two comes first is asked of both."""

THAT_OF = re.compile(r"th(?:at|ose) of ", re.IGNORECASE)
"""Stands for what is compared."""

SHARED_OF = re.compile(r"(?P<shared>.+? of )(?P<thing>.+)", re.IGNORECASE)
"""`the range of the AQ-210`: what the second thing is compared in, too."""

NUMBER = re.compile(r"[\d.,]+(?: ?\w{1,2})?")
"""A bare number: `between 5 and 10` compares nothing."""
