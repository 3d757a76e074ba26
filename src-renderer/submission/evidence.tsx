import type { Evidence as Found } from '../../src-shared/submission.ts'
import { formatExactly, formatInstant } from '../format/instants.ts'
import { SUBMISSION_WORDS } from '../words/submission-words.ts'
import css from './about.module.css'

const WORDS = SUBMISSION_WORDS.evidence

/** What was found out about a delivery, the latest first. */
export function Evidence({ evidence }: { readonly evidence: readonly Found[] }) {
  if (evidence.length === 0) return <p className="dim">{WORDS.none}</p>
  return (
    <ol role="list" className={css.list}>
      {evidence
        .toSorted((one, other) => other.at - one.at)
        .map((found) => (
          <li key={found.id} className={css.item} data-kind={found.kind}>
            <p className={css.line}>
              <strong>{WORDS.kinds[found.kind]}</strong>
              <time className="tabular" title={formatExactly(found.at)}>
                {formatInstant(found.at)}
              </time>
            </p>
            <p className={css.small}>
              {[
                found.message,
                ...(found.caseIds.length === 0 ? [] : [WORDS.cases(found.caseIds)]),
                ...(found.by === null ? [] : [WORDS.by(found.by)]),
              ].join(' \u00b7 ')}
            </p>
          </li>
        ))}
    </ol>
  )
}
