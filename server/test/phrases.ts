// Phrases that readers stumble over, each with plainer words. Add a line when another one turns up.

interface Phrase {
  pattern: RegExp
  better: string
}

const line = (pattern: RegExp, better: string): Phrase => ({ pattern, better })

export const phrases: readonly Phrase[] = [
  line(/(?<!\b[Tt]here )\b(is|are|be|was|were) none\b/, 'does not exist; is not a …; there is no …'),
  line(/(?<!\b[Tt]here )\b(is|are) no (agent|author|friend|success|session|member|JSON|UTF-8)\b/, 'is not a …'),
  line(/(?<!\b(one|none|each|all|both|some|most|any) )\bof (which|whom)\b|\bwhom nobody\b/, 'say the noun again'),
  line(/\bwhat(ever)? (becomes?|became|comes|came|has become) of\b/, 'what happens to; the result'),
  line(/\bstands? (in|here|there|where|beside)\b/, 'is; appears'),
  line(/\b(hears? of|(is|are) told of)\b/, 'gets an event; is notified'),
  line(/\b(at|behind) (every|each|its own|their own|these|another) doors?\b|\bdoors? of (its|their) own\b/, 'endpoint'),
  line(/\b(so|as) many (days|hours|minutes|seconds)\b/, 'N days'),
  line(/\bthe (most|least) (that )?there (may be|are)\b|\bthat there may (ever )?be\b/, 'the limit; a minimum'),
  line(/\b(by|in) another way\b/, 'through another channel'),
  line(/\b(no|not|never|nobody|nothing|neither)\b[^.:;]{0,60}\bany more\b/i, 'no longer; has expired'),
  line(/\ba slip\b|\bwas probably meant\b/, 'a typo; did you mean'),
  line(/\banew\b/, 'again'),
  line(/\bits being\b/, 'name the thing itself'),
  line(/(?<!\b(are|is|be) )\ball the same\b/, 'still'),
  line(/\bas (it is|they are) now\b/, 'the current …'),
  line(/\b(who|what|which|where)ever (it|that|they) may be\b/, 'anyone who; any'),
  line(/\bends to follow\b/i, 'stops following'),
  line(/\bin the order of their names\b/, 'sorted by'),
  line(/\basked for the first time\b/, 'first request'),
  line(/\bnothing is lost of\b/, 'nothing is lost'),
  line(/\b(is|are) to be found\b/, 'exists; is in'),
  line(/[.;] Who [^.?]+\./, 'Anyone who …'),
  line(/\bputs? the \w+ right\b/, 'formats; fixes'),
  line(/\b(undefined|`not_found`) where\b/, 'undefined if'),
  line(/(?<!\bno )\bone['’]s own\b/i, "your own; the caller's own"),
  line(/\bformer run\b/, 'an earlier run'),
  line(/\b(who|which) keeps? most\b/i, 'the largest'),
  line(/\blicence/i, 'license'),
  line(/\be-mail/i, 'email'),
]
