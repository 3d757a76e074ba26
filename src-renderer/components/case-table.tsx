/** The one table of cases: those of this station in the queue, and those that the service lists. */
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { formatCalendarDay } from '../format/dates.ts'
import { t } from '../i18n/i18n.ts'
import { goTo, type Route, writeRoute } from '../shell/navigation.tsx'
import css from './case-table.module.css'
import { moveFocus } from './controls.tsx'

const COLUMN_CLASSES = {
  state: css.stateColumn,
  patient: css.patientColumn,
  visit: css.visitColumn,
  right: css.eyeColumn,
  left: css.eyeColumn,
  detail: undefined,
  added: css.addedColumn,
  actions: css.actionsColumn,
}

type CaseTableProps = {
  readonly label: string
  readonly columns: readonly { readonly name: keyof typeof COLUMN_CLASSES; readonly title: ReactNode }[]
  /** Heads the column of check boxes; without it there is none. */
  readonly selectAll?: ReactNode
  readonly onKeyDown?: (event: KeyboardEvent<HTMLTableSectionElement>) => void
  readonly children: ReactNode
}

/** A real table, so that screen readers and the browser's search find every loaded row. */
export function CaseTable({ label, columns, selectAll, onKeyDown, children }: CaseTableProps) {
  const press = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    // The keys of an open menu come here too, although it is no part of the table.
    if (!(event.target instanceof Node && event.currentTarget.contains(event.target))) return
    moveFocus(event, 'a[data-row-link]', 'tr')
    onKeyDown?.(event)
  }
  return (
    <table role="table" className={css.table} data-selectable={selectAll !== undefined} aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {selectAll !== undefined && (
            <th role="columnheader" className={css.selectColumn}>
              {selectAll}
            </th>
          )}
          {columns.map(({ name, title }) => (
            <th key={name} role="columnheader" scope="col" className={COLUMN_CLASSES[name]}>
              {name === 'actions' ? <span className="visually-hidden">{title}</span> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" onKeyDown={press}>
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
  readonly select?: ReactNode
  readonly state: ReactNode
  readonly images?: { readonly right: ReactNode; readonly left: ReactNode }
  readonly detail: ReactNode
  readonly added: { readonly label: string; readonly title?: string; readonly text: ReactNode }
  readonly actions: ReactNode
}

/** One case. Further properties, such as `data-id`, are those of its row. */
export function CaseRow(props: CaseRowProps) {
  const { to, opens, number, name, visitDate, select, state, images, detail, added, actions, ...rest } = props
  const open = (event: MouseEvent<HTMLTableRowElement>): void => {
    // A click outside the controls opens the case, as people expect of a row.
    if (event.target instanceof Element && !event.target.closest('a, button, input, label')) goTo(to)
  }
  return (
    <tr role="row" className={css.row} onClick={open} {...rest}>
      {select !== undefined && (
        <td role="cell" className={css.selectColumn}>
          {select}
        </td>
      )}
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
      {images && (
        <>
          <td role="cell" className={css.rightCell}>
            {images.right}
          </td>
          <td role="cell" className={css.leftCell}>
            {images.left}
          </td>
        </>
      )}
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
