import { Button } from '@mantine/core'
import { IconSquareX } from '@tabler/icons-react'
import { isFullyUploaded, Stalled, TransferBar } from '../parts/transfer-bar.tsx'
import { runAction } from '../queue/run-action.ts'
import { useSession, useStation } from '../store/use-station.ts'
import css from './sending-panel.module.css'
import { t } from '../words/t.ts'

/** How far the transfer is, whether the other side still takes bytes, and the way to stop it. */
export function SendingPanel({ id }: { readonly id: string }) {
  const session = useSession()
  const progress = useStation((state) => state.progress[id])
  const isAllOut = isFullyUploaded(progress)
  const stalledSince = progress?.stalledSince ?? null
  return (
    <section className={css.panel} aria-labelledby="sending">
      <div className={css.text}>
        <h2 id="sending" className={css.title}>
          {t('submission:sending.title')}
        </h2>
        <TransferBar progress={progress} />
        <p className={css.note}>
          {stalledSince !== null ? (
            <Stalled
              since={stalledSince}
              format={(time, forHow) => t('queue:stalled', { time, forHow })}
              className={css.stalled ?? ''}
            />
          ) : isAllOut ? (
            t('submission:sending.through')
          ) : (
            t('submission:sending.explain')
          )}
        </p>
      </div>
      <Button
        variant="default"
        leftSection={<IconSquareX size={17} aria-hidden />}
        disabled={isAllOut}
        onClick={() => void runAction(session, 'cancel', [id])}
      >
        {t('submission:sending.cancel')}
      </Button>
    </section>
  )
}
