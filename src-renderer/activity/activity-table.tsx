import { Anchor } from '@mantine/core'
import { memo, useMemo } from 'react'
import { alarmKindSchema } from '../../src-shared/alarm.ts'
import type { AuditEntry } from '../../src-shared/contract.ts'
import { FAILURE_TEXTS, failureKindSchema } from '../../src-shared/failure.ts'
import { FIELD_NAMES } from '../../src-shared/fields.ts'
import { SUBMISSION_STATES, type SubmissionState } from '../../src-shared/states.ts'
import { formatExactly } from '../format/instants.ts'
import { writeRoute } from '../shell/routes.ts'
import { ACTIVITY_WORDS, isOfPerson, whatWord } from '../words/activity-words.ts'
import { ALARM_KIND_WORDS } from '../words/alarm-words.ts'
import { fieldLabel } from '../words/field-words.ts'
import { STATE_WORDS } from '../words/state-words.ts'
import { detailsLine, type DetailWords } from './activity-filter.ts'
import css from './activity-screen.module.css'
import { useReferences } from './use-references.ts'

const { columns } = ACTIVITY_WORDS

export type ActivityTableProps = { readonly entries: readonly AuditEntry[] }

/** A real table of what happened, newest first. */
export const ActivityTable = memo(function ActivityTable({ entries }: ActivityTableProps) {
  const ids = useMemo(() => entries.flatMap(({ submissionId }) => submissionId ?? []), [entries])
  const referenceOf = useReferences(ids)
  return (
    <table className={css.table} aria-label={ACTIVITY_WORDS.table}>
      <thead>
        <tr>
          <th scope="col" className={css.atColumn}>
            {columns.at}
          </th>
          <th scope="col" className={css.whatColumn}>
            {columns.what}
          </th>
          <th scope="col" className={css.caseColumn}>
            {columns.case}
          </th>
          <th scope="col" className={css.byColumn}>
            {columns.by}
          </th>
          <th scope="col">{columns.details}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map(({ id, at, what, submissionId, by, details }) => (
          <tr key={id} data-entry={id}>
            <td className="tabular">{formatExactly(at)}</td>
            <td>{whatWord(what)}</td>
            <td>
              {submissionId === null ? (
                <span className="dim">{ACTIVITY_WORDS.station}</span>
              ) : (
                <CaseLink id={submissionId} reference={referenceOf(submissionId)} />
              )}
            </td>
            <td>
              {by === null ? (
                <span className="dim">
                  {isOfPerson(what) ? ACTIVITY_WORDS.noInitials : ACTIVITY_WORDS.byItself}
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
      aria-label={ACTIVITY_WORDS.openCase(reference ?? id)}
      title={reference ?? id}
    >
      {reference ?? '\u2026'}
    </Anchor>
  )
}

/** The trail writes states by their names in the program. */
function stateName(name: string): string {
  const state = SUBMISSION_STATES.find((one): one is SubmissionState => one === name)
  return state ? STATE_WORDS[state].name : name
}

/** Fields, failures, alarms and causes by what people call them. */
function valueName(name: string, value: string): string {
  const field = FIELD_NAMES.find((one) => one === value)
  if (name === 'fields' && field) return fieldLabel(field)
  const failure = failureKindSchema.safeParse(value)
  if (name === 'failure' && failure.success) return FAILURE_TEXTS[failure.data].title
  const alarm = alarmKindSchema.safeParse(value)
  return name === 'alarm' && alarm.success ? ALARM_KIND_WORDS[alarm.data] : value
}

const DETAIL_WORDS: DetailWords = {
  why: ACTIVITY_WORDS.why,
  state: stateName,
  move: (from, to) => `${stateName(from)} \u203a ${stateName(to)}`,
  value: valueName,
  name: (name) =>
    name.replaceAll(/([a-z])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`),
}
