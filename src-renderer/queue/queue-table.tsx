import { Checkbox } from '@mantine/core'
import { memo, type KeyboardEvent } from 'react'
import { useSession } from '../store/use-station.ts'
import { QueueRow } from './queue-row.tsx'
import css from './queue-table.module.css'
import { runAction } from './run-action.ts'
import { actionsFor, type SubmissionAction } from './submission-actions.ts'
import { t } from '../words/t.ts'

export type QueueTableProps = {
  readonly ids: readonly string[]
  readonly selected: ReadonlySet<string>
  readonly onSelect: (ids: readonly string[], isSelected: boolean) => void
}

/** What a key does to the row under the focus; the first action that the row allows. */
const KEYS: Readonly<Record<string, readonly SubmissionAction[]>> = {
  a: ['approve'],
  r: ['retry'],
  h: ['hold', 'release'],
  Delete: ['discard'],
}

/** A real table, so that screen readers and search in the page see all that is loaded. */
export const QueueTable = memo(function QueueTable({ ids, selected, onSelect }: QueueTableProps) {
  const session = useSession()

  const press = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || !(event.target instanceof HTMLElement)) return
    const row = event.target.closest<HTMLTableRowElement>('tr[data-id]')
    const id = row?.dataset['id']
    if (!row || id === undefined) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      const next = event.key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling
      next?.querySelector<HTMLAnchorElement>('a[data-row-link]')?.focus()
    } else if (event.key === ' ' && event.target.matches('a')) {
      event.preventDefault()
      onSelect([id], !selected.has(id))
    } else if (Object.hasOwn(KEYS, event.key)) {
      const submission = session.store.getState().submissions[id]
      const action = submission && KEYS[event.key]?.find((one) => actionsFor(submission).includes(one))
      if (action) void runAction(session, action, [id])
    }
  }

  return (
    <table className={css.table} aria-label={t('queue:table')}>
      <thead>
        <tr>
          <th className={css.selectColumn}>
            <Checkbox
              aria-label={t('queue:selectAll')}
              checked={selected.size > 0 && selected.size === ids.length}
              indeterminate={selected.size > 0 && selected.size < ids.length}
              onChange={(event) => onSelect(ids, event.currentTarget.checked)}
            />
          </th>
          <th scope="col" className={css.stateColumn}>
            {t('queue:columns.state')}
          </th>
          <th scope="col" className={css.patientColumn}>
            {t('queue:columns.patient')}
          </th>
          <th scope="col" className={css.visitColumn}>
            {t('queue:columns.visit')}
          </th>
          <th scope="col" className={css.eyeColumn}>
            <abbr title={t('field:eye.right.name')}>{t('queue:columns.right')}</abbr>
          </th>
          <th scope="col" className={css.eyeColumn}>
            <abbr title={t('field:eye.left.name')}>{t('queue:columns.left')}</abbr>
          </th>
          <th scope="col">{t('queue:columns.detail')}</th>
          <th scope="col" className={css.addedColumn}>
            {t('queue:columns.added')}
          </th>
          <th scope="col" className={css.actionsColumn}>
            <span className={css.hidden}>{t('queue:columns.actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody onKeyDown={press}>
        {ids.map((id) => (
          <QueueRow key={id} id={id} isSelected={selected.has(id)} onSelect={onSelect} />
        ))}
      </tbody>
    </table>
  )
})
