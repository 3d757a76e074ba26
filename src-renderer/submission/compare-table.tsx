import { Radio } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { formatCalendarDay, formatInstant } from '../format/instants.ts'
import { useNames, type Names } from '../privacy/use-names.ts'
import { t } from '../words/t.ts'
import { COMPARED, type Compared, type OurFacts } from './compare-case.ts'
import css from './compare-table.module.css'
import type { Candidate } from './use-candidates.ts'

export type CompareTableProps = { readonly ours: OurFacts; readonly candidates: readonly Candidate[] }

/** Ours in the first column, each case of the service beside it, with a radio at its head. */
export function CompareTable({ ours, candidates }: CompareTableProps) {
  const names = useNames()
  const rows = COMPARED.filter(
    (what) => ours[what] !== null || candidates.some((one) => (rowOf(one, what)?.theirs ?? null) !== null),
  )
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a place that scrolls takes the focus, or the keyboard cannot scroll it
    <div className={css.frame} tabIndex={0} role="region" aria-label={t('delivery:compare.title')}>
      <table className={css.table}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('delivery:compare.this')}</th>
            {candidates.map(({ caseId }) => (
              <th key={caseId} scope="col">
                <Radio value={caseId} label={caseId} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((what) => (
            <tr key={what}>
              <th scope="row">{t(`delivery:compare.fields.${what}`)}</th>
              <td className="tabular">{shown(what, ours[what], names)}</td>
              {candidates.map((one) => (
                <Cell
                  key={one.caseId}
                  row={rowOf(one, what)}
                  isListed={one.compared !== null}
                  names={names}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function rowOf({ compared }: Candidate, what: Compared['what']): Compared | null {
  return compared?.find((one) => one.what === what) ?? null
}

type CellProps = { readonly row: Compared | null; readonly isListed: boolean; readonly names: Names }

function Cell({ row, isListed, names }: CellProps) {
  if (row === null || row.theirs === null)
    return (
      <td className="dim">{isListed ? t('delivery:compare.unsaid') : t('delivery:compare.notListed')}</td>
    )
  return (
    <td className="tabular" data-verdict={row.verdict}>
      <span className={css.cell}>
        {row.verdict === 'same' && (
          <IconCheck size={15} role="img" aria-label={t('delivery:compare.verdict.same')} />
        )}
        {row.verdict === 'differs' && (
          <IconX size={15} role="img" aria-label={t('delivery:compare.verdict.differs')} />
        )}
        {row.what === 'boundTo'
          ? t('delivery:compare.boundTo', { reference: row.theirs })
          : shown(row.what, row.theirs, names)}
      </span>
    </td>
  )
}

/** A fact as people read it; names as the privacy of the window has them. */
function shown(what: Compared['what'], text: string | null, names: Names): string {
  if (text === null) return '\u2013'
  if (what === 'lastName' || what === 'firstName') return names.name(text)
  if (what === 'visitDate') return formatCalendarDay(text)
  if (what !== 'created') return text
  const at = Date.parse(text)
  return Number.isNaN(at) ? text : formatInstant(at)
}
