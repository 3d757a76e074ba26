import { Anchor } from '@mantine/core'
import { memo, useMemo } from 'react'
import type { AuditEntry } from '../../src-shared/contract.ts'
import { formatExactly } from '../format/instants.ts'
import { writeRoute } from '../shell/routes.ts'
import { isPersonEntry, entryLabel } from './what-groups.ts'
import { detailsLine } from './activity-filter.ts'
import { detailLabels } from './detail-words.ts'
import css from './activity-screen.module.css'
import { useReferences } from './use-references.ts'
import { t } from '../words/t.ts'

export type ActivityTableProps = { readonly entries: readonly AuditEntry[] }

/** A real table of what happened, newest first. */
export const ActivityTable = memo(function ActivityTable({ entries }: ActivityTableProps) {
  const ids = useMemo(() => entries.flatMap(({ submissionId }) => submissionId ?? []), [entries])
  const referenceOf = useReferences(ids)
  const labels = detailLabels()
  return (
    <table className={css.table} aria-label={t('activity:table')}>
      <thead>
        <tr>
          <th scope="col" className={css.atColumn}>
            {t('activity:columns.at')}
          </th>
          <th scope="col" className={css.whatColumn}>
            {t('activity:columns.what')}
          </th>
          <th scope="col" className={css.caseColumn}>
            {t('activity:columns.case')}
          </th>
          <th scope="col" className={css.byColumn}>
            {t('activity:columns.by')}
          </th>
          <th scope="col">{t('activity:columns.details')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, at, what, submissionId, by, details }) => (
          <tr key={id} data-entry={id}>
            <td className="tabular">{formatExactly(at)}</td>
            <td>{entryLabel(what)}</td>
            <td>
              {submissionId === null ? (
                <span className="dim">{t('activity:station')}</span>
              ) : (
                <CaseLink id={submissionId} reference={referenceOf(submissionId)} />
              )}
            </td>
            <td>
              {by === null ? (
                <span className="dim">
                  {isPersonEntry(what) ? t('activity:noInitials') : t('activity:byItself')}
                </span>
              ) : (
                <strong>{by}</strong>
              )}
            </td>
            <td className={css.details}>{detailsLine(details, labels)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
})

type CaseLinkProps = { readonly id: string; readonly reference: string | null }

function CaseLink({ id, reference }: CaseLinkProps) {
  return (
    <Anchor
      className={css.reference ?? ''}
      href={writeRoute({ screen: 'submission', id })}
      aria-label={t('activity:openCase', { reference: reference ?? id })}
      title={reference ?? id}
    >
      {reference ?? '\u2026'}
    </Anchor>
  )
}
