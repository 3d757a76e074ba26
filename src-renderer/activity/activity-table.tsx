import { Anchor } from '@mantine/core'
import { memo, useMemo } from 'react'
import { alarmKindSchema } from '../../src-shared/alarm.ts'
import type { AuditEntry } from '../../src-shared/contract.ts'
import { FAILURE_TEXTS, failureKindSchema } from '../../src-shared/failure.ts'
import { FIELD_NAMES } from '../../src-shared/fields.ts'
import { SUBMISSION_STATES, type SubmissionState } from '../../src-shared/states.ts'
import { formatExactly } from '../format/instants.ts'
import { writeRoute } from '../shell/routes.ts'
import { isOfPerson, whatWord } from './what-groups.ts'
import { fieldLabel } from '../words/field-label.ts'
import { detailsLine, type DetailWords } from './activity-filter.ts'
import css from './activity-screen.module.css'
import { useReferences } from './use-references.ts'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

export type ActivityTableProps = { readonly entries: readonly AuditEntry[] }

/** A real table of what happened, newest first. */
export const ActivityTable = memo(function ActivityTable({ entries }: ActivityTableProps) {
  const ids = useMemo(() => entries.flatMap(({ submissionId }) => submissionId ?? []), [entries])
  const referenceOf = useReferences(ids)
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
            <td>{whatWord(what)}</td>
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
                  {isOfPerson(what) ? t('activity:noInitials') : t('activity:byItself')}
                </span>
              ) : (
                <strong>{by}</strong>
              )}
            </td>
            <td className={css.details}>{detailsLine(details, DETAIL_WORDS)}</td>
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

/** The trail writes states by their names in the program. */
function stateName(name: string): string {
  const state = SUBMISSION_STATES.find((one): one is SubmissionState => one === name)
  return state ? t(`state:${state}.name`) : name
}

/** Fields, failures, alarms and causes by what people call them. */
function valueName(name: string, value: string): string {
  const field = FIELD_NAMES.find((one) => one === value)
  if (name === 'fields' && field) return fieldLabel(field)
  const failure = failureKindSchema.safeParse(value)
  if (name === 'failure' && failure.success) return said(FAILURE_TEXTS[failure.data].title)
  const alarm = alarmKindSchema.safeParse(value)
  return name === 'alarm' && alarm.success ? t(`alarm:kind.${alarm.data}`) : value
}

const DETAIL_WORDS: DetailWords = {
  why: t('activity:why'),
  state: stateName,
  move: (from, to) => `${stateName(from)} \u203a ${stateName(to)}`,
  value: valueName,
  name: (name) =>
    name.replaceAll(/([a-z])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`),
}
