/** The banner: one line of status above every screen. */
import {
  type Icon,
  IconAlertTriangle,
  IconBellRinging,
  IconCircleCheck,
  IconHandStop,
  IconInfoCircle,
  IconPlayerPause,
  IconPlugConnectedX,
} from '@tabler/icons-react'
import { useMemo } from 'react'
import { useShallow } from 'zustand/shallow'
import { HOUR, MINUTE } from '../../src-shared/durations.ts'
import { type Failure, FAILURES } from '../../src-shared/failure.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import { Countdown, SmallButton } from '../components/controls.tsx'
import { formatInstant } from '../format/dates.ts'
import { failureOfKind, failureTitle, joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { countOf, type StationState } from '../store/state.ts'
import { useSession, useStation } from '../store/use-station.ts'
import css from './banner.module.css'
import { alarmPanel, goTo } from './navigation.tsx'
import { runCall } from './toast.tsx'

const ICONS: Readonly<Partial<Record<Kind, Icon>>> = {
  alarm: IconBellRinging,
  lost: IconPlugConnectedX,
  notAuthorised: IconPlugConnectedX,
  paused: IconPlayerPause,
  connecting: IconInfoCircle,
  unanswered: IconInfoCircle,
  starting: IconInfoCircle,
  stopping: IconInfoCircle,
  needYou: IconHandStop,
  well: IconCircleCheck,
}

const ACTION_KEYS = {
  resume: 'shell:banner.resume',
  startNormally: 'shell:banner.safeMode.action',
  openSettings: 'shell:banner.openSettings',
  decideExisting: 'shell:banner.asking.action',
  addFolder: 'shell:banner.noFolder.action',
  showAlarms: 'shell:show',
} as const

type BannerAction = keyof typeof ACTION_KEYS

export function useBanner(): ShownBanner {
  const input = useStation(
    useShallow(({ connection, status, settings, skewMs }) => ({ connection, status, settings, skewMs })),
  )
  return useMemo(() => chooseBanner(input), [input])
}

/** What the set-up itself asks for. */
const ASKED_IN_SETUP: readonly Kind[] = ['serviceNotSet', 'noFolder', 'asking']

/** Always exactly one line, always at the same position. */
export function Banner({ isInSetup }: { readonly isInSetup: boolean }) {
  const session = useSession()
  const { kind, tone, title, body, action, nextTryAt } = useBanner()
  if (isInSetup && ASKED_IN_SETUP.includes(kind)) return null
  const Sign = ICONS[kind] ?? IconAlertTriangle
  const act = (wanted: BannerAction): void => {
    if (wanted === 'resume') void runCall(session, 'station.resume', {})
    else if (wanted === 'startNormally') void runCall(session, 'station.startNormally', {})
    else if (wanted === 'showAlarms') alarmPanel.setState({ isShown: true })
    else goTo({ screen: 'settings', section: wanted === 'openSettings' ? 'service' : 'folders' })
  }
  return (
    <section className={css.banner} data-tone={tone} data-kind={kind} aria-label={title} data-testid="banner">
      <Sign size={18} aria-hidden className={css.icon} />
      <p className={css.text}>
        <strong>{title}</strong>
        <span>{body}</span>
        {nextTryAt !== null && (
          <Countdown until={nextTryAt} format={(left) => t('queue:nextTry', { left })} elapsedText="" />
        )}
      </p>
      {action !== null && <SmallButton onClick={() => act(action)}>{t(ACTION_KEYS[action])}</SmallButton>}
    </section>
  )
}

const CLOCK_TOLERANCE_MS = 2 * MINUTE

/** A service that requests a longer pause may do so by mistake. */
const LONG_PAUSE_MS = HOUR

/** Banners whose text is fixed. */
type Plain =
  | 'lost'
  | 'notAuthorised'
  | 'connecting'
  | 'starting'
  | 'stopping'
  | 'stopped'
  | 'clock'
  | 'noFolder'
  | 'safeMode'

type Kind =
  | Plain
  | 'alarm'
  | 'paused'
  | 'signedOut'
  | 'serviceNotSet'
  | 'storage'
  | 'folder'
  | 'asking'
  | 'diskLow'
  | 'service'
  | 'needYou'
  | 'unanswered'
  | 'well'

type Tone = 'red' | 'amber' | 'blue' | 'grey' | 'green'

type ShownBanner = {
  readonly kind: Kind
  readonly tone: Tone
  readonly title: string
  readonly body: string
  readonly action: BannerAction | null
  readonly nextTryAt: number | null
}

export type BannerInput = Pick<StationState, 'connection' | 'status' | 'settings' | 'skewMs'>

type Details = Partial<Pick<ShownBanner, 'action' | 'nextTryAt'>>

function banner(kind: Kind, tone: Tone, title: string, body: string, details: Details = {}): ShownBanner {
  return { kind, tone, title, body, action: null, nextTryAt: null, ...details }
}

function plain(kind: Plain, tone: Tone, action: BannerAction | null = null): ShownBanner {
  return banner(kind, tone, t(`shell:banner.${kind}.title`), t(`shell:banner.${kind}.body`), { action })
}

function fromFailure(kind: Kind, tone: Tone, failure: Failure, details: Details = {}): ShownBanner {
  return banner(kind, tone, failureTitle(failure.kind), messageOf(failure), details)
}

/** The banner that matters most. "All is well" is one too, so that nothing moves when trouble comes. */
export function chooseBanner({ connection, status, settings, skewMs }: BannerInput): ShownBanner {
  if (connection.kind === 'lost')
    return plain(connection.why === 'notAuthorised' ? 'notAuthorised' : 'lost', 'red')
  if (connection.kind === 'connecting' || status === null) return plain('connecting', 'grey')
  const { storage, service, clock } = status
  const urgent = fromAlarms(status)
  if (urgent) return urgent
  if (storage !== null && storage.kind !== 'diskLow') return fromFailure('storage', 'red', storage)
  const stopped = fromMode(status) ?? fromFolders(status)
  if (stopped) return stopped
  if (storage !== null) return fromFailure('diskLow', 'red', storage)
  if (service.health === 'trouble' && service.failure !== null)
    return fromServiceFailure(status, service.failure)
  if (clock !== null) return fromFailure('clock', 'amber', clock)
  if (Math.abs(skewMs) > CLOCK_TOLERANCE_MS) return plain('clock', 'amber')
  if (settings?.folders.length === 0) return plain('noFolder', 'amber', 'addFolder')
  return healthyBanner(status)
}

/** Something may already have gone wrong: nothing matters more. */
function fromAlarms({ alarms }: StationStatus): ShownBanner | null {
  const [newest] = alarms
  if (!newest) return null
  // Its message names the case, what is in doubt, and whom to call.
  if (alarms.length === 1 && newest.kind === 'contradicted')
    return banner('alarm', 'red', messageOf(newest), t('shell:banner.alarm.contradicted'), {
      action: 'showAlarms',
    })
  const kind = t(`alarm:kind.${newest.kind}`)
  const body = t('shell:banner.alarm.body')
  const [title, text] =
    alarms.length === 1
      ? [kind, body]
      : [t('shell:banner.alarm.many', { count: alarms.length }), `${kind}. ${body}`]
  return banner('alarm', 'red', title, text, { action: 'showAlarms' })
}

function fromMode({ mode, now, service }: StationStatus): ShownBanner | null {
  if (mode.kind === 'running') return null
  if (mode.kind === 'stopped') return plain('stopped', 'red')
  if (mode.kind !== 'paused') return plain(mode.kind, 'grey')
  switch (mode.why) {
    case 'signedOut': {
      const failure = service.failure?.kind === 'signedOut' ? service.failure : failureOfKind('signedOut')
      return fromFailure('signedOut', 'red', failure, { action: 'openSettings' })
    }
    case 'serviceNotSet':
      return fromFailure('serviceNotSet', 'amber', failureOfKind('serviceNotSet'), { action: 'openSettings' })
    case 'safeMode':
      return plain('safeMode', 'red', 'startNormally')
    case 'person': {
      const body =
        mode.until === null
          ? t('shell:banner.paused.untilResumed')
          : t('shell:banner.paused.until', { time: formatInstant(mode.until, now) })
      return banner('paused', 'amber', t('shell:banner.paused.title'), body, { action: 'resume' })
    }
  }
}

function fromFolders({ folders }: StationStatus): ShownBanner | null {
  const lost = folders.find(({ health }) => health === 'unreachable' || health === 'taken')
  if (lost) {
    const title = t(lost.health === 'taken' ? 'shell:banner.folderTaken' : 'shell:banner.folder', {
      path: lost.path,
    })
    return banner('folder', 'red', title, messageOf(lost.failure ?? failureOfKind('folderUnreachable')))
  }
  const asking = folders.filter(({ health }) => health === 'asking')
  if (asking.length === 0) return null
  const count = asking.reduce((sum, { existingCount }) => sum + existingCount, 0)
  const title = t('shell:banner.asking.title', { count })
  return banner('asking', 'amber', title, t('shell:banner.asking.body'), { action: 'decideExisting' })
}

function fromServiceFailure({ service, now }: StationStatus, failure: Failure): ShownBanner {
  const nextTryAt = service.nextTryAt ?? failure.notBefore ?? null
  if (failure.kind === 'throttled' && nextTryAt !== null && nextTryAt - now > LONG_PAUSE_MS) {
    const title = t('shell:banner.throttledLong.title', { when: formatInstant(nextTryAt, now) })
    return banner('service', 'amber', title, t('shell:banner.throttledLong.body'), { nextTryAt })
  }
  const isOurs = FAILURES[failure.kind] === 'a person here'
  const action = isOurs ? 'openSettings' : null
  return fromFailure('service', isOurs ? 'red' : 'amber', failure, { nextTryAt, action })
}

/** The station works: what is wrong with single cases, what waits for a person, what leaves, and what left last. */
function healthyBanner({ counts, imagesMissing, lastSentAt, now, service }: StationStatus): ShownBanner {
  const problems = counts.refused + imagesMissing
  const toReview = countOf('needsYou', counts) - counts.refused
  const sending = countOf('waiting', counts) + countOf('sending', counts) - counts.held - counts.collecting
  const line = [
    problems > 0 && t('shell:line.problems', { count: problems }),
    toReview > 0 && t('shell:line.toReview', { count: toReview }),
    sending > 0 && t('shell:line.sending', { count: sending }),
    lastSentAt !== null && t('shell:line.lastSent', { when: formatInstant(lastSentAt, now) }),
  ].filter((part) => part !== false)
  if (problems + toReview > 0)
    return banner('needYou', problems > 0 ? 'red' : 'blue', line[0] ?? '', joinTexts(...line.slice(1)))
  // Without an answer of these minutes no one knows whether all is well.
  return service.health === 'reachable'
    ? banner('well', 'green', t('shell:banner.well.title'), joinTexts(...line))
    : banner('unanswered', 'grey', t('shell:light.unknown'), joinTexts(...line))
}

const BLOCKING_BANNERS: ReadonlySet<Kind> = new Set([
  'alarm',
  'lost',
  'notAuthorised',
  'storage',
  'safeMode',
  'signedOut',
  'stopped',
])

/** May it interrupt screen reader users? Only what stops all work, or may already have gone wrong. */
export function isBlocking(kind: Kind): boolean {
  return BLOCKING_BANNERS.has(kind)
}
