import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { SECOND } from '../../src-shared/durations.ts'
import { runCall } from '../shell/run-call.ts'
import { useAnswer } from '../store/use-answer.ts'
import { useSession } from '../store/use-station.ts'
import { t } from '../words/t.ts'
import css from './settings-screen.module.css'
import { updateText } from './update-text.ts'

/** Nothing tells of a change; somebody who looks here waits for it. */
const POLL_MS = 3 * SECOND

/** Whether there is a newer version of the desktop app, what it waits for, and the word that it may wait for. */
export function UpdateCard() {
  const session = useSession()
  const { value: state, readAgain } = useAnswer('updates.get', {})
  useEffect(() => {
    const timer = setInterval(readAgain, POLL_MS)
    return () => clearInterval(timer)
  }, [readAgain])
  if (!state) return null
  const { title, detail, trouble } = updateText(state)
  const ask = (name: 'updates.look' | 'updates.install'): void =>
    void runCall(session, name, {}).then(readAgain)
  return (
    <section className={css.card} aria-labelledby="updates">
      <h3 id="updates">{t('settings:updates.heading')}</h3>
      <div className={css.foot}>
        <div className={css.gap} role="status">
          <p>{title}</p>
          {detail !== null && <p className={css.hint}>{detail}</p>}
          {trouble !== null && <p className={css.caution}>{trouble}</p>}
        </div>
        {(state.kind === 'current' || state.kind === 'refused') && (
          <Button variant="default" onClick={() => ask('updates.look')}>
            {t('settings:updates.lookNow')}
          </Button>
        )}
        {state.kind === 'ready' && state.waitsFor !== 'administrator' && (
          <Button onClick={() => ask('updates.install')}>{t('settings:updates.installNow')}</Button>
        )}
      </div>
      {state.kind !== 'off' && <p className={css.hint}>{t('settings:updates.promise')}</p>}
    </section>
  )
}
