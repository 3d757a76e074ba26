/** Words that people in a clinic do not use, by screens that were read as they would: none of them comes back. */
import { expect, it } from 'vitest'
import { ENGLISH, SPANISH } from './text-tables.ts'

/** What was written, and what is understood. */
const QUAINT: readonly (readonly [quaint: RegExp, better: string])[] = [
  [
    /\b(?:nothing|no source) states\b|not all of this is proven/i,
    'Read from file names. Check number, date and eyes.',
  ],
  [/service not asked yet/i, 'Connecting…'],
  [/left aside|lying about/i, 'Ignored'],
  [/what looking for it has found|this look found|next look\b|look now/i, 'Search now, Next search in'],
  [/a person must say|but not surely|could be this one/i, 'Possible match'],
  [/handed over/i, 'Everything was sent, but the service never confirmed it.'],
  [/it was (?:not )?taken|read the words of/i, 'Rejected by the service, Accepted by the service'],
  [/when its turn comes|in line\b|send next/i, 'Queued, Move to front'],
  [/everything that is not over|go(?:es)? by (?:themselves|itself)/i, 'All open, Waiting'],
  [/no case sent yet/i, 'nothing at all'],
  [/part(?:ed)? (?:them )?off|take back in|leave out\b/i, 'Split, Exclude, Include'],
  [/keep the case from being sent|go there\b/i, 'Show'],
  [/\bas (?:this computer|the system)\b/i, 'Same as system'],
  [/reads names as people do|make cases of|leave them alone/i, 'Import all, Ignore'],
  [/the people who run|lets you in/i, 'Your reading service gave you these three.'],
  [/never switches/i, 'The one of these credentials'],
  [/by itself\b|tell (?:when|nothing)/i, 'automatic, Notify when'],
  [/half of it|a tenth of it/i, '50 %'],
  [/which language do you read|go on later|set-up\b.*later/i, 'Language'],
  [/\bnot (?:told|said)\b|in its own words/i, 'not given, All cases at the service.'],
  [/decisions of persons|nothing of it can be changed/i, 'User decisions'],
  [/origin of settings|leave out what is built in/i, 'For IT'],
  [/until the administrator states/i, 'Your change lasts until they update it.'],
  [/cannot be right|gets false ones/i, 'Invalid values'],
  [
    /stands in the activity|earlier than what is not known|is not known\b/i,
    'Visit date missing, Eye missing',
  ],
  [/draw (?:it|this) again|could not be drawn/i, 'This screen crashed'],
  [/whoever installed|brings it up to date|given away only by you/i, 'Updates are managed by your IT team.'],
  [/make it anew|^make the case$|no report is awaited/i, 'Create'],
  [/before it can be sent|how this is known|\bproposed\b|\bdisputed\b/i, 'Check, From file name, Conflict'],
  [/listed above|cannot go yet/i, 'Saved, not approved'],
  [
    /images? are still arriving\b.*when they come|its first images become/i,
    'New images appear in the queue.',
  ],
  [/what may this computer do|for which center are/i, 'Which center is this?'],
  [/without a person looking|waits for a person/i, 'Everything else waits for review.'],
  [/can be read automatically|confirm these names|no case went by/i, 'Trust these file names'],
  [/complete but for/i, 'Details missing'],
  [/, not a photograph and is left/i, 'OCT volume, not a photo. Ignored.'],
  [/\bunder storage\b/i, 'the name of a part of the settings that there is'],
]

it.each(QUAINT)('no text says %s, but rather: %s', (quaint) => {
  expect(
    [...ENGLISH].filter(([, text]) => quaint.test(text)).map(([key, text]) => `${key}: ${text}`),
  ).toEqual([])
})

it.each([
  [/requieren? de usted/i, '18 casos por atender'],
  [/por sí sol[ao]/i, 'Automático'],
  [/^Ir allí/i, 'Ver'],
  [/cámara de respaldo digital/i, 'a camera back'],
  [/\b(?:into|from|images|the|of)\b/i, 'no English word'],
])('no Spanish text says %s, but rather: %s', (quaint) => {
  const shown = [...SPANISH].map(([key, text]) => [key, text.replaceAll(/\{\{.*?\}\}/g, '')] as const)
  expect(shown.filter(([, text]) => quaint.test(text)).map(([key, text]) => `${key}: ${text}`)).toEqual([])
})

it('the light says that it is connected, in both languages', () => {
  expect([ENGLISH, SPANISH].map((texts) => texts.get('shell:light.reachable'))).toEqual([
    'Connected',
    'Conectado',
  ])
})
