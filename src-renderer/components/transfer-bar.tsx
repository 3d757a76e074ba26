/** The progress of a transfer, in bytes. */
import { Progress as Bar } from '@mantine/core'
import { formatClock, formatCountdown } from '../format/dates.ts'
import { formatBytes } from '../format/numbers.ts'
import { t } from '../i18n/i18n.ts'
import type { Progress } from '../store/state.ts'
import { useStationNow } from './browser.tsx'
import css from './transfer-bar.module.css'

/** Were all bytes handed over? That is not "sent": only an answer with an id is. */
export function isFullyUploaded(progress: Progress | undefined): boolean {
  return (
    progress !== undefined && progress.requestBytes > 0 && progress.handedOverBytes >= progress.requestBytes
  )
}

/** The progress in bytes. Once all are handed over, it shows waiting, never completion. */
export function TransferBar({ progress }: { readonly progress: Progress | undefined }) {
  const { handedOverBytes = 0, requestBytes = 0 } = progress ?? {}
  const percent = requestBytes === 0 ? 0 : Math.floor((100 * handedOverBytes) / requestBytes)
  const isWaiting = isFullyUploaded(progress)
  return (
    <>
      <Bar.Root size={8} radius="xl" maw={520}>
        <Bar.Section
          value={percent}
          color="blue"
          animated={isWaiting}
          striped={isWaiting}
          aria-label={t('state:sending.name')}
        />
      </Bar.Root>
      <span className={css.bytes}>
        {progress === undefined || requestBytes === 0
          ? t('state:sending.meaning')
          : isWaiting
            ? t('queue:waitingForAnswer')
            : t('queue:sentPart', {
                sent: formatBytes(handedOverBytes),
                all: formatBytes(requestBytes),
                percent,
              })}
      </span>
    </>
  )
}

export type StalledProps = {
  readonly since: number
  readonly format: (time: string, forHow: string) => string
  readonly className: string
}

/** Since when the peer has accepted nothing more; it counts on its own. */
export function Stalled({ since, format, className }: StalledProps) {
  const now = useStationNow()
  const [time, forHow] = [formatClock(since), formatCountdown(now - since)]
  return (
    <span className={`${className} tabular`} title={t('queue:stalled', { time, forHow })}>
      {format(time, forHow)}
    </span>
  )
}
