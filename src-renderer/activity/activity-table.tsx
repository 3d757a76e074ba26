import { Anchor } from '@mantine/core'
import { memo } from 'react'
import type { AuditEntry } from '../../src-shared/contract.ts'
import { SUBMISSION_STATES, type SubmissionState } from '../../src-shared/states.ts'
import { formatExactly } from '../format/instants.ts'
import { writeRoute } from '../shell/routes.ts'
import { useStation } from '../store/use-station.ts'
import { ACTIVITY_WORDS, whatWord } from '../words/activity-words.ts'
import { STATE_WORDS } from '../words/state-words.ts'
import { detailsLine, type DetailWords } from './activity-filter.ts'
import css from './activity-screen.module.css'

const { columns } = ACTIVITY_WORDS

/** A real table of what happened, newest first. */
export const ActivityTable = memo(function ActivityTable({
  entries,
}: {
  readonly entries: readonly AuditEntry[]
}) {
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
                <CaseLink id={submissionId} />
              )}
            </td>
            <td>
              {by === null ? <span className="dim">{ACTIVITY_WORDS.byItself}</span> : <strong>{by}</strong>}
            </td>
            <td className={css.details}>{detailsLine(details, DETAIL_WORDS)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
})

function CaseLink({ id }: { readonly id: string }) {
  // The trail knows ids; the reference is known of what was shown before.
  const reference = useStation((state) => state.submissions[id]?.reference ?? id)
  return (
    <Anchor
      className={css.reference ?? ''}
      href={writeRoute({ screen: 'submission', id })}
      aria-label={ACTIVITY_WORDS.openCase(reference)}
      title={reference}
    >
      {reference}
    </Anchor>
  )
}

/** The trail writes states by their names in the program. */
function stateName(name: string): string {
  const state = SUBMISSION_STATES.find((one): one is SubmissionState => one === name)
  return state ? STATE_WORDS[state].name : name
}

const DETAIL_WORDS: DetailWords = {
  why: ACTIVITY_WORDS.why,
  state: stateName,
  move: (from, to) => `${stateName(from)} \u2192 ${stateName(to)}`,
  name: (name) =>
    name.replaceAll(/([a-z])([A-Z])/g, (_all, end: string, start: string) => `${end} ${start.toLowerCase()}`),
}
