import type { ReactNode } from 'react'
import { KeyboardList } from '../shell/keyboard-list.tsx'
import { t } from '../words/t.ts'
import { Diagnostics } from './diagnostics.tsx'
import css from './help-screen.module.css'
import { StatesLegend } from './states-legend.tsx'
import { StorageLocations } from './where-kept.tsx'

/** What a photographer asks once, and what an administrator is asked for. */
export function HelpScreen() {
  return (
    <div className={css.screen}>
      <header>
        <h1 className={css.title}>{t('help:title')}</h1>
        <p className="dim">{t('help:explain')}</p>
      </header>
      <Card id="help-states" title={t('help:states.title')} explain={t('help:states.explain')}>
        <StatesLegend />
      </Card>
      <Card id="help-keys" title={t('help:keys.title')} explain={t('help:keys.explain')}>
        <KeyboardList />
      </Card>
      <div className={css.pair}>
        <Card id="help-kept" title={t('help:kept.title')}>
          <StorageLocations />
        </Card>
        <Card id="help-diagnostics" title={t('help:diagnostics.title')}>
          <Diagnostics />
        </Card>
      </div>
    </div>
  )
}

function Card({
  id,
  title,
  explain,
  children,
}: {
  readonly id: string
  readonly title: string
  readonly explain?: string
  readonly children: ReactNode
}) {
  return (
    <section className={css.card} aria-labelledby={id}>
      <div>
        <h2 id={id} className={css.heading}>
          {title}
        </h2>
        {explain !== undefined && <p className="dim">{explain}</p>}
      </div>
      {children}
    </section>
  )
}
