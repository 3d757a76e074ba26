import { useStation } from '../store/use-station.ts'
import { SETTINGS_WORDS } from '../words/settings-words.ts'
import css from './settings-screen.module.css'

const WORDS = SETTINGS_WORDS.about

/** What this is, in which version, and whose work is in it. */
export function AboutSection() {
  const status = useStation((state) => state.status)
  return (
    <div className={css.form}>
      <p className={css.explain}>{WORDS.explain}</p>
      <div className={css.card}>
        <dl className={css.facts}>
          <dt>{WORDS.version}</dt>
          <dd className="tabular">{status?.version ?? '\u2013'}</dd>
          <dt>{WORDS.host}</dt>
          <dd>{status ? WORDS.hosts[status.host] : '\u2013'}</dd>
          <dt>{WORDS.license}</dt>
          <dd>{WORDS.licenseName}</dd>
          <dt>{WORDS.madeWith}</dt>
          <dd>{WORDS.parts}</dd>
        </dl>
        <p className="dim">{WORDS.notForDiagnosis}</p>
      </div>
    </div>
  )
}
