import type { AlarmKind } from '../../src-shared/alarm.ts'

/** What happened, in one line; the station's own sentence says the rest. */
export const ALARM_KIND_WORDS: Readonly<Record<AlarmKind, string>> = {
  twoCasesOneReference: 'The service holds this case twice',
  otherPatient: 'The service shows another patient under this case',
  centerSwitched: 'A case may have gone to another center',
  outboxRestored: 'The outbox was restored',
  foundUnsent: 'The service shows a case that was not sent from here',
}

export const ALARM_WORDS = {
  title: 'Alarms',
  explain: 'Each stays here until somebody has seen it. Seeing it changes no case.',
  cases: (count: number) => (count === 1 ? 'Case at the service' : 'Cases at the service'),
  copyCase: (id: string) => `Copy case id ${id}`,
  submission: 'Sent from here as',
  open: (reference: string) => `Open case ${reference}`,
  about: 'About',
  all: 'All cases of this station',
  raised: (when: string) => `since ${when}`,
  seen: 'I have seen this',
  seenWhat: (what: string) => `I have seen this: ${what}`,
  done: 'It stays in the activity, with your initials.',
  none: { title: 'No alarms', body: 'All of them have been seen. They stay in the activity.' },
} as const
