import type { ManagedFile } from '../../src-shared/setting-source.ts'
import { t } from '../words/t.ts'
import css from './managed-files.module.css'
import screen from './settings-screen.module.css'

const PROBLEM_STATES: readonly ManagedFile['state'][] = [
  'broken',
  'unreadable',
  'unsafe',
  'left',
  'refused',
  'locked',
  'failed',
]

/** The files that administrators lay beside the station, and what became of each. */
export function ManagedFiles({ files }: { readonly files: readonly ManagedFile[] }) {
  return (
    <section className={screen.card} aria-labelledby="managed-files">
      <h3 id="managed-files">{t('settings:sources.files')}</h3>
      {files.length === 0 && <p className="dim">{t('settings:sources.noFiles')}</p>}
      <ul role="list" className={css.files}>
        {files.map((file) => (
          <li key={`${file.kind} ${file.path}`} className={css.file}>
            <strong>{t(`settings:sources.kind.${file.kind}`)}</strong>
            <code className={screen.long}>{file.path}</code>
            <FileState file={file} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What counts where the file itself does not. */
function FileInForce({ file: { kind, inForce } }: { readonly file: ManagedFile }) {
  if (kind === 'configuration' && inForce === 'nothing')
    return <span>{t('settings:sources.noConfiguration')}</span>
  if (inForce !== 'lastKnown') return null
  const textKey = kind === 'configuration' ? 'lastKnownConfiguration' : 'lastKnown'
  return <span>{t(`settings:sources.${textKey}`)}</span>
}

function FileState({ file }: { readonly file: ManagedFile }) {
  const hasProblem =
    PROBLEM_STATES.includes(file.state) || (file.state === 'none' && file.inForce === 'lastKnown')
  return (
    <div className={css.state}>
      <span className={hasProblem ? screen.caution : undefined}>
        {t(`settings:sources.state.${file.state}`)}
      </span>
      {file.detail !== null && <code className={screen.long}>{file.detail}</code>}
      <FileInForce file={file} />
      {file.unknownNames.length > 0 && (
        <span className={screen.caution}>
          {t('settings:sources.unknownNames', { names: file.unknownNames.join(', ') })}
        </span>
      )}
    </div>
  )
}
