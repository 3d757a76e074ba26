/** May an update that lies here, checked, be installed now? Pure; never forced, and never while a case is on its way. */
import type { UpdateSettings } from '../../../src-shared/settings.ts'
import type { UpdateWait } from '../../../src-shared/updates.ts'

export type UpdateMoment = {
  /** What the settings want. */
  readonly wanted: UpdateSettings['install']
  /** `now`: a person has said "install now". `quit`: the station has stopped and the app is about to end, for a person. */
  readonly asked: 'not' | 'now' | 'quit'
  /** How many cases are being sent. */
  readonly sending: number
  /** Is something being written that an end of the app would lose? */
  readonly editor: 'open' | 'none'
  /** Is somebody at the screens? */
  readonly person: 'there' | 'away'
  /** The system would ask for an administrator: refused or unanswered, the app would have ended for nothing. */
  readonly rights: 'enough' | 'administrator'
  /** Was the outbox copied, and the copy checked, lately? */
  readonly backup: 'fresh' | 'old'
  /** Did this very update end the app before, which then came back as it was? */
  readonly tried: 'never' | 'inVain'
}

/** `restart`: the app comes back by itself. `leave`: a person has quit it, and it stays so. */
export type AfterInstalling = 'restart' | 'leave'

export type InstallDecision =
  | { readonly kind: 'install'; readonly after: AfterInstalling }
  | { readonly kind: 'wait'; readonly for: UpdateWait }

const wait = (what: UpdateWait): InstallDecision => ({ kind: 'wait', for: what })

export function whetherToInstall(moment: UpdateMoment): InstallDecision {
  if (moment.rights === 'administrator') return wait('administrator')
  if (moment.sending > 0 && moment.asked !== 'quit') return wait('sending')
  if (moment.asked === 'now') return { kind: 'install', after: 'restart' }
  if (moment.wanted !== 'quietMoment' || moment.tried === 'inVain') return wait('word')
  if (moment.asked === 'quit')
    return moment.backup === 'fresh' ? { kind: 'install', after: 'leave' } : wait('person')
  if (moment.editor === 'open') return wait('editor')
  if (moment.person === 'there') return wait('person')
  return { kind: 'install', after: 'restart' }
}
