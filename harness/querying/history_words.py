"""English words and phrases by which the last turn of a conversation is read."""

import re

_WORDS = """\
a an the this that these those some any all both each every no none other others another such same one ones many much more
most few less least several own i me my mine we us our ours you your yours he him his she her hers it its they them their
theirs who whom whose which what when where why how whether someone something anything everything nothing anyone everyone
somebody anybody i'm i've i'd i'll you're you've we're we've they're it's that's what's there's don't doesn't didn't can't
couldn't won't wouldn't isn't aren't wasn't weren't haven't hasn't let's am is are was were be been being do does did done
doing have has had having can could may might must shall should will would ought cannot and or but nor so yet if then else
than as because while although though unless until since before after during of in on at to from by with without for about
into onto over under between among through per via against off out up down above below around near within along across
beyond like not only also too very just even still again ever never always often sometimes now here there yes ok okay well
oh please thanks thank sorry hi hello hey sure really actually maybe perhaps quite rather instead otherwise however
therefore thus anyway way tell know think mean means meant want need see say said says ask asked asking wonder explain
describe give gives gave get gets got getting make makes made take takes took go goes going come comes use uses used using
help let show summarize summary provide provided list clarify heard hear understand look looks seem seems believe guess good
bad better best right wrong correct true thing things kind kinds sort lot lots bit example examples difference different
differences question questions information info details detail moment able first last next previous new old latter former
following besides regarding specific needs wants wanted needed looking talking speaking"""

FUNCTION_WORDS = frozenset(_WORDS.split())
"""Words that say nothing about a topic: grammar, small talk, and what every question asks with."""

_THEIRS = r"it|its|it's|they|them|their|theirs|he|she|him|her|his|hers"
_PREPOSITION = "about|for|in|of|on|with|to|from|by|at|after|before|like|than|since|without|into|over|under|behind"
_DOES = (
    "is|are|was|were|do|does|did|can|could|may|might|must|should|will|would|has|have|isn't|aren't|wasn't|doesn't|don't|didn't"
    "|can't|won't"
)
_BEGINS_CLAUSE = r"(?:the|an?|i|you|we|they|he|she|it|there|my|our|your|his|her|its|their|no|all|any|some)\b"

POINTS = re.compile(
    rf"\b(?P<pronoun>{_THEIRS})\b"
    r"|\b(?P<near>this|these|those(?! (?:who|which|that|of|whose|with|in)\b))\b(?! (?:days?|year|month|week|time|century)\b)"
    rf"|(?:^\W*|[.?!,;] (?:and |but |or |so )?|(?:^\W*|[.?!,;] )(?:{_DOES}) )(?P<opens>that)\b(?! of\b)"
    rf"|\b(?:{_DOES}) (?P<after>that)\b(?! of\b)(?! {_BEGINS_CLAUSE})"
    rf"|\b(?:{_PREPOSITION}) (?P<placed>that)\b(?! of\b)(?! {_BEGINS_CLAUSE})(?! [\w-]+ (?:that|which|who|where)\b)"
    r"|\b(?P<ends>that)(?=\W*$)"
    r"|\b(?P<manner>that (?:way|case|kind|sort|much))\b"
    r"|(?P<alike>\b(?:too|as well)\W*$)"
    r"|\b(?P<one>the one)\b(?! (?:of|that|who|which|with|in)\b)"
    rf"|(?P<last>\bone\W*$|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )\bthere\W*$)",
    re.IGNORECASE,
)
"""Pronouns and demonstratives that need something named before them; `that` as a conjunction or relative pronoun is none."""

EXPLETIVE = re.compile(
    r"\bit(?:'s| is| was| will be| would be| be)? (?:not )?(?:raining|snowing|freezing|rains|snows|freezes|possible|impossible|true|necessary"
    r"|dark|late|time)\b"
    r"|\bit(?:'s| is| was| will be| would be| be)? (?:not )?(?:allowed|legal|illegal|safe|likely|unlikely|important|better|best|worth|mandatory"
    r"|advisable|common|normal|okay|ok|recommended|required|fair|wise|easier|easy|harder|hard|difficult|enough|sensible|cheaper)"
    r" (?:to|that|for|if|when|whether|\w+ing)\b"
    r"|\bit (?:take|takes|took|cost|costs)(?: (?:me|you|us|one))?(?: [\w-]+){0,2} to\b"
    r"|\bit (?:makes?|made) (?:any |no |more )?sense to\b"
    r"|\bit (?:means?|matters?|happens?|seems?|appears?|turns out|follows)(?: \w+)? (?:to|that|when|if|whether|like)\b",
    re.IGNORECASE,
)
"""`It` that stands for nothing: `is it raining`, `how long does it take to`."""

CLAUSE_ENDS = re.compile(
    r"[.?!,;:]|\b(?:that|which|who|whom|whose|when|where|while|before|after|because|since|if|though|although|and|or|but|so|until"
    r"|unless|whereas|as long as|as soon as)\b",
    re.IGNORECASE,
)
"""Where one clause ends and the next begins: `it` is no other thing of its own clause."""

DETERMINED = re.compile(
    r"\b(?:the|an?|my|our|your|this|these|those|all|every|each|some|any|no|two|three|both) (?=[\w-])", re.IGNORECASE
)
"""Before a thing that a later pronoun may stand for."""

COMPARES = re.compile(
    r"\b(?:same(?! (?:[\w-]+ )?(?:as|time|of)\b)|another|others?(?! than\b)|else|also|too(?! \w)|instead(?! of\b)|again|such(?! as\b)|both|either"
    r"|neither|above|previous|former|latter|more(?! than\b))\b",
    re.IGNORECASE,
)
"""Words that compare with something said before, where the turn names no thing of its own."""

GOES_ON = re.compile(
    r"^\W*(?:and|but|or|so|then|what about|how about|why(?= not\b|\W*$)|sorry|i mean|i meant|ok|okay|no(?! (?:one|matter)\b)|yes|oh"
    r"|thanks?|you (?:say|said|mean)|what do you mean|that means|even)\b",
    re.IGNORECASE,
)
"""Openings of a turn that goes on with the one before."""

SAYS_NOTHING = re.compile(
    r"(?:\W|\b(?:thanks?|thank you|very much|a lot|so much|ok|okay|hi|hello|hey|bye|goodbye|great|good|fine|nice|perfect|cool|got it"
    r"|i see|you're welcome|danke|merci|gracias|ありがとう(?:ございます)?|谢谢|شكرا)\b)*",
    re.IGNORECASE,
)
"""A turn that asks for nothing: punctuation, thanks, a greeting."""

DEFINES = re.compile(r"^\W*(?:what|who) (?:is|are|was|were)(?: an?| the)?(?: [\w'’-]+){1,4}\W*$", re.IGNORECASE)
"""A question for what something is: it names its topic in few words."""
