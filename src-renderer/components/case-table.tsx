/** The table of the cases that the service lists. */
import type { MouseEvent, ReactNode } from 'react'
import { formatCalendarDay } from '../format/dates.ts'
import { t } from '../i18n/i18n.ts'
import { goTo, type Route, writeRoute } from '../shell/navigation.tsx'
import css from './case-table.module.css'
import { moveFocus } from './controls.tsx'

const COLUMN_CLASSES = {
  state: css.stateColumn,
  patient: css.patientColumn,
  visit: css.visitColumn,
  detail: undefined,
  added: css.addedColumn,
  actions: css.actionsColumn,
}

type CaseTableProps = {
  readonly label: string
  readonly columns: readonly { readonly name: keyof typeof COLUMN_CLASSES; readonly title: ReactNode }[]
  readonly children: ReactNode
}

/** A real table, so that screen readers and the browser's search find every loaded row. */
export function CaseTable({ label, columns, children }: CaseTableProps) {
  return (
    <table role="table" className={css.table} aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ name, title }) => (
            <th key={name} role="columnheader" scope="col" className={COLUMN_CLASSES[name]}>
              {name === 'actions' ? <span className="visually-hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" onKeyDown={(event) => moveFocus(event, 'a[data-row-link]', 'tr')}>
        {children}
      </tbody>
    </table>
  )
}

type CaseRowProps = {
  /** What the row opens, and how its link says so. */
  readonly to: Route
  readonly opens: string
  readonly number: ReactNode
  readonly name: ReactNode
  readonly visitDate: string | null | undefined
  readonly state: ReactNode
  readonly detail: ReactNode
  readonly added: { readonly label: string; readonly title?: string; readonly text: ReactNode }
  readonly actions: ReactNode
}

/** One case. */
export function CaseRow(props: CaseRowProps) {
  const { to, opens, number, name, visitDate, state, detail, added, actions } = props
  const open = (event: MouseEvent<HTMLTableRowElement>): void => {
    // A click outside the controls opens the case, as people expect of a row.
    if (event.target instanceof Element && !event.target.closest('a, button, input, label')) goTo(to)
  }
  return (
    <tr role="row" className={css.row} onClick={open}>
      <td role="cell" className={css.stateCell}>
        <span className={css.state}>{state}</span>
      </td>
      <td role="cell" className={css.patientCell}>
        <a href={writeRoute(to)} className={css.patient} data-row-link>
          <span className="visually-hidden">{opens} </span>
          <span className={`${css.number} truncate`}>{number}</span>{' '}
          <span className={`${css.name} truncate`}>{name}</span>
        </a>
      </td>
      <td role="cell" className={`${css.visitCell} tabular`}>
        <span className={css.cellLabel}>{t('queue:columns.visit')} </span>
        {visitDate ? formatCalendarDay(visitDate) : <span className="dim">{t('field:notKnown')}</span>}
      </td>
      <td role="cell" className={css.detailCell}>
        <div className={css.detail}>{detail}</div>
      </td>
      <td role="cell" className={`${css.addedCell} tabular`} title={added.title}>
        <span className={css.cellLabel}>{added.label} </span>
        {added.text}
      </td>
      <td role="cell" className={css.actionsCell}>
        <span className={css.actions}>{actions}</span>
      </td>
    </tr>
  )
}
