import { FailureNotice } from '../parts/failure-notice.tsx'
import { CopyAction } from '../parts/copy-action.tsx'
import { useAnswer } from '../store/use-answer.ts'
import { t } from '../words/t.ts'
import { LicenseList } from './license-list.tsx'
import css from './settings-screen.module.css'
import { UpdateCard } from './update-card.tsx'

const UNKNOWN = '\u2013'

/** What this is, in which version and on what it runs, and whose work is in it. */
export function AboutSection() {
  const { value, failure } = useAnswer('station.about', {})
  const facts = [
    [t('settings:about.version'), value?.version],
    [t('settings:about.host'), value && t(`settings:about.hosts.${value.host}`)],
    [t('settings:about.station'), value?.stationId],
    [t('settings:about.system'), value?.system],
    [t('settings:about.runtime'), value?.runtime],
    [t('settings:about.dataFolder'), value?.dataFolder],
    [t('settings:about.secrets'), value && t(`settings:secretsKept.${value.secretsKept}`)],
    [t('settings:about.license'), t('settings:about.licenseName')],
  ] as const
  return (
    <div className={css.form}>
      <p className={css.explain}>{t('settings:about.explain')}</p>
      {failure && <FailureNotice failure={failure} />}
      <div className={css.card}>
        <dl className={css.facts}>
          {facts.map(([name, text]) => (
            <div key={name} className={css.fact}>
              <dt>{name}</dt>
              <dd className={css.long}>{text ?? UNKNOWN}</dd>
            </div>
          ))}
        </dl>
        <div className={css.foot}>
          <p className={`${css.hint} ${css.gap}`}>{t('settings:about.dataFolderHint')}</p>
          <CopyAction text={facts.map(([name, text]) => `${name}: ${text ?? UNKNOWN}`).join('\n')} />
        </div>
        {value?.secretsKept === 'privateFile' && (
          <p className={css.caution}>{t('settings:secretsKept.privateFileMeans')}</p>
        )}
        <p className="dim">{t('settings:about.notForDiagnosis')}</p>
      </div>
      <UpdateCard />
      <LicenseList />
    </div>
  )
}
