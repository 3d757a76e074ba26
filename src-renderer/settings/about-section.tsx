import { useStation } from '../store/use-station.ts'
import css from './settings-screen.module.css'
import { t } from '../words/t.ts'

/** What this is, in which version, and whose work is in it. */
export function AboutSection() {
  const status = useStation((state) => state.status)
  return (
    <div className={css.form}>
      <p className={css.explain}>{t('settings:about.explain')}</p>
      <div className={css.card}>
        <dl className={css.facts}>
          <dt>{t('settings:about.version')}</dt>
          <dd className="tabular">{status?.version ?? '\u2013'}</dd>
          <dt>{t('settings:about.host')}</dt>
          <dd>{status ? t(`settings:about.hosts.${status.host}`) : '\u2013'}</dd>
          <dt>{t('settings:about.license')}</dt>
          <dd>{t('settings:about.licenseName')}</dd>
          <dt>{t('settings:about.madeWith')}</dt>
          <dd>{t('settings:about.parts')}</dd>
        </dl>
        <p className="dim">{t('settings:about.notForDiagnosis')}</p>
      </div>
    </div>
  )
}
