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
import { alarmPanel } from '../alarms/alarms.tsx'
import { Countdown } from '../components/notices.tsx'
import { t } from '../i18n/i18n.ts'
import { useSession, useStation } from '../store/use-station.ts'
import { type BannerAction, chooseBanner, type Banner as Chosen } from './banner-choice.ts'
import css from './banner.module.css'
import { goTo } from './navigation.tsx'
import { runCall } from './toast.tsx'

const ICONS: Readonly<Partial<Record<Chosen['kind'], Icon>>> = {
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

export function useBanner(): Chosen {
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
