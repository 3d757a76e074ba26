import type { ProfileTrial } from '../../../src-shared/profile-trial.ts'
import { formatCount } from '../../format/numbers.ts'
import { QUEUE_WORDS } from '../../words/queue-words.ts'
import { SETTINGS_WORDS } from '../../words/settings-words.ts'
import css from './profiles.module.css'
import { TrialVisit } from './trial-visit.tsx'

const WORDS = SETTINGS_WORDS.trial
/** Enough to judge a pattern by; a page of hundreds helps nobody who types. */
const MOST_VISITS = 40
const MOST_NOTES = 40

export type TrialResultProps = {
  readonly trial: ProfileTrial
  /** What is shown is not yet what is asked for. */
  readonly isOld: boolean
  /** Nothing is asked for while something in the profile cannot be right. */
  readonly isWaiting: boolean
}

/** The visits that would be made, what stays unclear in them, and the files left aside. */
export function TrialResult({ trial, isOld, isWaiting }: TrialResultProps) {
  const { visits, notes, triedCount, fileCount } = trial
  const unclear = visits.filter(({ reasons }) => reasons.length > 0).length
  const summary = [
    WORDS.tried(formatCount(triedCount), formatCount(fileCount)),
    WORDS.visits(visits.length),
    ...(unclear > 0 ? [WORDS.unclear(unclear)] : []),
    ...(notes.length > 0 ? [WORDS.left(notes.length)] : []),
  ]
  // What is most in question first, so that a wrong pattern shows at once.
  const ordered = visits.toSorted((one, other) => other.reasons.length - one.reasons.length)
  return (
    <div className={css.result} data-old={isOld}>
      <p className={css.summary} role="status" data-waiting={isWaiting}>
        {isWaiting ? WORDS.waiting : summary.join(' \u00b7 ')}
      </p>
      <div className={css.found} role="region" aria-label={WORDS.found} tabIndex={0}>
        {visits.length === 0 && <p className="dim">{WORDS.noVisit}</p>}
        <ul role="list" className={css.visits}>
          {ordered.slice(0, MOST_VISITS).map((visit) => (
            <TrialVisit key={visit.images.map(({ fileName }) => fileName).join('\n')} visit={visit} />
          ))}
        </ul>
        {ordered.length > MOST_VISITS && <p className="dim">{WORDS.more(ordered.length - MOST_VISITS)}</p>}
        {notes.length > 0 && (
          <>
            <h4 className={css.leftTitle}>{WORDS.leftAside}</h4>
            <ul role="list" className={css.notes}>
              {notes.slice(0, MOST_NOTES).map((note) => (
                <li key={note.fileName}>
                  <span className={css.file}>{note.fileName}</span>
                  <span className="dim">
                    {QUEUE_WORDS.leftAside.kinds[note.kind]}. {note.message}
                  </span>
                </li>
              ))}
            </ul>
            {notes.length > MOST_NOTES && <p className="dim">{WORDS.more(notes.length - MOST_NOTES)}</p>}
          </>
        )}
      </div>
    </div>
  )
}
