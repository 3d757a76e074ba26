import type { Evidence as Found } from '../../src-shared/submission.ts'
import { formatExactly, formatInstant } from '../format/instants.ts'
import css from '../parts/timeline.module.css'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

/** What was found out about a delivery, the latest first. */
export function Evidence({ evidence }: { readonly evidence: readonly Found[] }) {
  if (evidence.length === 0) return <p className="dim">{t('submission:evidence.none')}</p>
  return (
    <ol role="list" className={css.list}>
      {evidence
        .toSorted((one, other) => other.at - one.at)
        .map((found) => (
          <li key={found.id} className={css.item} data-kind={found.kind}>
            <p className={css.line}>
              <strong>{t(`submission:evidence.kinds.${found.kind}`)}</strong>
              <time className="tabular" title={formatExactly(found.at)}>
                {formatInstant(found.at)}
              </time>
            </p>
            <p className={css.small}>
              {[
                said(found.message),
                ...(found.caseIds.length === 0
                  ? []
                  : [
                      t('submission:evidence.cases', {
                        count: found.caseIds.length,
                        ids: found.caseIds.join(', '),
                      }),
                    ]),
                ...(found.by === null ? [] : [t('submission:evidence.by', { initials: found.by })]),
              ].join(' \u00b7 ')}
            </p>
          </li>
        ))}
    </ol>
  )
}
