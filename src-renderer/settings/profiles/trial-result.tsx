import type { ProfileDryRun } from '../../../src-shared/profile-trial.ts'
import { formatCount } from '../../format/numbers.ts'
import css from './profiles.module.css'
import { DryRunVisit } from './trial-visit.tsx'
import { said } from '../../words/said.ts'
import { t } from '../../words/t.ts'

/** Enough to judge a pattern by; a page of hundreds helps nobody who types. */
const MAX_VISITS = 40
const MAX_NOTES = 40

export type DryRunResultProps = {
  readonly dryRun: ProfileDryRun
  /** What is shown is not yet what is asked for. */
  readonly isOld: boolean
  /** Nothing is asked for while something in the profile cannot be right. */
  readonly isWaiting: boolean
}

/** The visits that would be made, what stays unclear in them, and the files left aside. */
export function DryRunResult({ dryRun, isOld, isWaiting }: DryRunResultProps) {
  const { visits, notes, triedCount, fileCount } = dryRun
  const unclear = visits.filter(({ reasons }) => reasons.length > 0).length
  const summary = [
    triedCount === fileCount
      ? t('settings:trial.triedAll', { all: formatCount(fileCount) })
      : t('settings:trial.tried', { tried: formatCount(triedCount), all: formatCount(fileCount) }),
    t('settings:trial.visits', { count: visits.length }),
    ...(unclear > 0 ? [t('settings:trial.unclear', { count: unclear })] : []),
    ...(notes.length > 0 ? [t('settings:trial.left', { count: notes.length })] : []),
  ]
  // What is most in question first, so that a wrong pattern shows at once.
  const ordered = visits.toSorted((one, other) => other.reasons.length - one.reasons.length)
  return (
    <div className={css.result} data-old={isOld}>
      <p className={css.summary} role="status" data-waiting={isWaiting}>
        {isWaiting ? t('settings:trial.waiting') : summary.join(' \u00b7 ')}
      </p>
      <div className={css.found} role="region" aria-label={t('settings:trial.found')} tabIndex={0}>
        {visits.length === 0 && <p className="dim">{t('settings:trial.noVisit')}</p>}
        <ul role="list" className={css.visits}>
          {ordered.slice(0, MAX_VISITS).map((visit) => (
            <DryRunVisit key={visit.images.map(({ fileName }) => fileName).join('\n')} visit={visit} />
          ))}
        </ul>
        {ordered.length > MAX_VISITS && (
          <p className="dim">{t('settings:trial.more', { count: ordered.length - MAX_VISITS })}</p>
        )}
        {notes.length > 0 && (
          <>
            <h4 className={css.leftTitle}>{t('settings:trial.leftAside')}</h4>
            <ul role="list" className={css.notes}>
              {notes.slice(0, MAX_NOTES).map((note) => (
                <li key={note.fileName}>
                  <span className={css.file}>{note.fileName}</span>
                  <span className="dim">
                    {t(`queue:leftAside.kinds.${note.kind}`)}. {said(note.message)}
                  </span>
                </li>
              ))}
            </ul>
            {notes.length > MAX_NOTES && (
              <p className="dim">{t('settings:trial.more', { count: notes.length - MAX_NOTES })}</p>
            )}
          </>
        )}
      </div>
    </div>
  )
}
