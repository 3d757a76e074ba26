/** The banner: one line of status above every screen. */
import { Button } from '@mantine/core'
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
import { HOUR, MINUTE } from '../../src-shared/durations.ts'
import { type Failure, FAILURES } from '../../src-shared/failure.ts'
import type { ShownSettings } from '../../src-shared/settings.ts'
import type { StationStatus } from '../../src-shared/station-status.ts'
import { Countdown } from '../components/notices.tsx'
import { formatInstant } from '../format/dates.ts'
import { failureOfKind, failureTitle, messageOf, t } from '../i18n/i18n.ts'
import type { Connection } from '../link/link.ts'
import { countOf } from '../store/state.ts'
import { useSession, useStation } from '../store/use-station.ts'
import css from './banner.module.css'
import { alarmPanel, goTo } from './navigation.tsx'
import { runCall } from './toast.tsx'

const ICONS: Readonly<Partial<Record<ShownBanner['kind'], Icon>>> = {
  alarm: IconBellRinging,
  lost: IconPlugConnectedX,
  notAuthorised: IconPlugConnectedX,
  paused: IconPlayerPause,
  connecting: IconInfoCircle,
  starting: IconInfoCircle,
  namesRule: IconInfoCircle,
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
  showAlarms: 'shell:banner.alarm.action',
  noteNamesRule: 'shell:banner.namesRule.action',
} as const satisfies Readonly<Record<BannerAction, string>>

export function useBanner(): ShownBanner {
  const connection = useStation((state) => state.connection)
  const status = useStation((state) => state.status)
  const settings = useStation((state) => state.settings)
  const skewMs = useStation((state) => state.skewMs)
  return useMemo(
    () => chooseBanner({ connection, status, settings, skewMs }),
    [connection, status, settings, skewMs],
  )
}

/** Always exactly one line, always at the same position. */
export function Banner() {
  const session = useSession()
  const { kind, tone, title, body, action, nextTryAt } = useBanner()
  const Sign = ICONS[kind] ?? IconAlertTriangle
  const act = (wanted: BannerAction): void => {
    if (wanted === 'resume') void runCall(session, 'station.resume', {})
    else if (wanted === 'startNormally') void runCall(session, 'station.startNormally', {})
    else if (wanted === 'noteNamesRule') void runCall(session, 'station.noteNamesRule', {})
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
          <Countdown
            until={nextTryAt}
            format={(left) => t('shell:banner.nextTry', { left })}
            elapsedText=""
          />
        )}
      </p>
      {action !== null && (
        <Button size="compact-sm" variant="default" onClick={() => act(action)}>
          {t(ACTION_KEYS[action])}
        </Button>
      )}
    </section>
  )
}

/** Smaller clock differences are harmless. */
const CLOCK_TOLERANCE_MS = 2 * MINUTE

/** A service that requests a longer pause may do so by mistake. */
const LONG_PAUSE_MS = HOUR

export type BannerAction =
  | 'resume'
  | 'startNormally'
  | 'openSettings'
  | 'decideExisting'
  | 'addFolder'
  | 'showAlarms'
  | 'noteNamesRule'

export type ShownBanner = {
  readonly kind:
    | 'lost'
    | 'notAuthorised'
    | 'connecting'
    | 'alarm'
    | 'stopped'
    | 'stopping'
    | 'starting'
    | 'paused'
    | 'safeMode'
    | 'signedOut'
    | 'serviceNotSet'
    | 'storage'
    | 'folder'
    | 'asking'
    | 'diskLow'
    | 'service'
    | 'clock'
    | 'namesRule'
    | 'noFolder'
    | 'needYou'
    | 'well'
  readonly tone: 'red' | 'amber' | 'blue' | 'grey' | 'green'
  readonly title: string
  readonly body: string
  readonly action: BannerAction | null
  readonly nextTryAt: number | null
}

type Plain =
  | 'lost'
  | 'notAuthorised'
  | 'connecting'
  | 'starting'
  | 'stopping'
  | 'stopped'
  | 'clock'
  | 'namesRule'
  | 'noFolder'
  | 'safeMode'

function bannerText(kind: Plain): { readonly title: string; readonly body: string } {
  return { title: t(`shell:banner.${kind}.title`), body: t(`shell:banner.${kind}.body`) }
}

export type BannerInput = {
  readonly connection: Connection
  readonly status: StationStatus | null
  readonly settings: ShownSettings | null
  readonly skewMs: number
}

/**
 * The banner with the highest priority. "All is well" is a banner too, so that the layout does not move when trouble
 * comes.
 */
export function chooseBanner(input: BannerInput): ShownBanner {
  return fromConnection(input) ?? fromStatus(input)
}

type Details = Partial<Pick<ShownBanner, 'action' | 'nextTryAt'>>

function banner(
  kind: ShownBanner['kind'],
  tone: ShownBanner['tone'],
  text: { readonly title: string; readonly body: string },
  details: Details = {},
): ShownBanner {
  return { kind, tone, title: text.title, body: text.body, action: null, nextTryAt: null, ...details }
}

function fromFailure(
  kind: ShownBanner['kind'],
  tone: ShownBanner['tone'],
  failure: Failure,
  details: Details = {},
): ShownBanner {
  const title = failureTitle(failure.kind)
  return banner(kind, tone, { title, body: messageOf(failure) }, details)
}

function fromConnection({ connection, status }: BannerInput): ShownBanner | null {
  if (connection.kind === 'lost')
    return connection.why === 'notAuthorised'
      ? banner('notAuthorised', 'red', bannerText('notAuthorised'))
      : banner('lost', 'red', bannerText('lost'))
  if (connection.kind === 'connecting' || status === null)
    return banner('connecting', 'grey', bannerText('connecting'))
  return null
}

function fromStatus({ status, settings, skewMs }: BannerInput): ShownBanner {
  if (status === null) return banner('connecting', 'grey', bannerText('connecting'))
  const unreachable = status.folders.find(({ health }) => health === 'unreachable' || health === 'taken')
  const asking = status.folders.filter((folder) => folder.health === 'asking')
  const { storage, service } = status
  return (
    fromAlarms(status) ??
    (storage !== null && storage.kind !== 'diskLow' ? fromFailure('storage', 'red', storage) : null) ??
    fromMode(status) ??
    (unreachable
      ? banner('folder', 'red', {
          title:
            unreachable.health === 'taken'
              ? t('shell:banner.folderTaken', { path: unreachable.path })
              : t('shell:banner.folder', { path: unreachable.path }),
          body: unreachable.failure ? messageOf(unreachable.failure) : t('failure:folderUnreachable.message'),
        })
      : null) ??
    (asking.length > 0
      ? banner(
          'asking',
          'amber',
          {
            title: t('shell:banner.asking.title', {
              count: asking.reduce((sum, folder) => sum + folder.existingCount, 0),
            }),
            body: t('shell:banner.asking.body'),
          },
          { action: 'decideExisting' },
        )
      : null) ??
    (storage !== null ? fromFailure('diskLow', 'red', storage) : null) ??
    (service.health === 'trouble' && service.failure !== null
      ? fromServiceFailure(status, service.failure)
      : null) ??
    (status.clock !== null ? fromFailure('clock', 'amber', status.clock) : null) ??
    (Math.abs(skewMs) > CLOCK_TOLERANCE_MS ? banner('clock', 'amber', bannerText('clock')) : null) ??
    (status.namesRule === 'new'
      ? banner('namesRule', 'blue', bannerText('namesRule'), { action: 'noteNamesRule' })
      : null) ??
    (settings !== null && settings.folders.length === 0
      ? banner('noFolder', 'amber', bannerText('noFolder'), { action: 'addFolder' })
      : null) ??
    healthyBanner(status)
  )
}

/** Something may already have gone wrong: nothing matters more. */
function fromAlarms({ alarms }: StationStatus): ShownBanner | null {
  const [newest] = alarms
  if (!newest) return null
  const body = t('shell:banner.alarm.body')
  const kind = t(`alarm:kind.${newest.kind}`)
  return alarms.length === 1
    ? banner('alarm', 'red', { title: kind, body }, { action: 'showAlarms' })
    : banner(
        'alarm',
        'red',
        { title: t('shell:banner.alarm.many', { count: alarms.length }), body: `${kind}. ${body}` },
        { action: 'showAlarms' },
      )
}

function fromMode({ mode, now, service }: StationStatus): ShownBanner | null {
  switch (mode.kind) {
    case 'running':
      return null
    case 'starting':
      return banner('starting', 'grey', bannerText('starting'))
    case 'stopping':
      return banner('stopping', 'grey', bannerText('stopping'))
    case 'stopped':
      return banner('stopped', 'red', bannerText('stopped'))
    case 'paused':
      break
  }
  switch (mode.why) {
    case 'signedOut':
      return fromFailure(
        'signedOut',
        'red',
        service.failure?.kind === 'signedOut' ? service.failure : failureOfKind('signedOut'),
        { action: 'openSettings' },
      )
    case 'serviceNotSet':
      return fromFailure('serviceNotSet', 'amber', failureOfKind('serviceNotSet'), { action: 'openSettings' })
    case 'safeMode':
      return banner('safeMode', 'red', bannerText('safeMode'), { action: 'startNormally' })
    case 'person': {
      const body =
        mode.until === null
          ? t('shell:banner.paused.untilResumed')
          : t('shell:banner.paused.until', { time: formatInstant(mode.until, now) })
      return banner('paused', 'amber', { title: t('shell:banner.paused.title'), body }, { action: 'resume' })
    }
  }
}

function fromServiceFailure({ service, now }: StationStatus, failure: Failure): ShownBanner {
  const until = service.nextTryAt ?? failure.notBefore ?? null
  if (failure.kind === 'throttled' && until !== null && until - now > LONG_PAUSE_MS) {
    return banner(
      'service',
      'amber',
      {
        title: t('shell:banner.throttledLong.title', { when: formatInstant(until, now) }),
        body: t('shell:banner.throttledLong.body'),
      },
      { nextTryAt: until },
    )
  }
  const isOurs = FAILURES[failure.kind] === 'a person here'
  return fromFailure('service', isOurs ? 'red' : 'amber', failure, {
    nextTryAt: until,
    action: isOurs ? 'openSettings' : null,
  })
}

/** The station works; cases that wait for a person are normal work and no alarm. */
function healthyBanner(status: StationStatus): ShownBanner {
  const needYou = countOf('needsYou', status.counts)
  const body = [
    status.lastSentAt === null
      ? t('shell:banner.well.nothingSent')
      : t('shell:banner.well.lastSent', { when: formatInstant(status.lastSentAt, status.now) }),
    t('shell:banner.well.waiting', {
      count: countOf('waiting', status.counts) + countOf('sending', status.counts),
    }),
  ].join(' \u00b7 ')
  return needYou > 0
    ? banner('needYou', 'amber', { title: t('shell:banner.well.needYou', { count: needYou }), body })
    : banner('well', 'green', { title: t('shell:banner.well.title'), body })
}

const BLOCKING_BANNERS: ReadonlySet<ShownBanner['kind']> = new Set([
  'alarm',
  'lost',
  'notAuthorised',
  'storage',
  'safeMode',
  'signedOut',
  'stopped',
])

/** May it interrupt screen reader users? Only what stops all work, or may already have gone wrong. */
export function isBlocking(kind: ShownBanner['kind']): boolean {
  return BLOCKING_BANNERS.has(kind)
}
