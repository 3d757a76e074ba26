import { ActionIcon, Button, NativeSelect, TextInput, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { columnChoices, isHeadingWrong, type ColumnRow } from './column-rows.ts'
import css from './settings-screen.module.css'
import { t } from '../words/t.ts'

export type ColumnsInputProps = {
  readonly rows: readonly ColumnRow[]
  /** What is missing is marked only once somebody wanted to save. */
  readonly isChecked: boolean
  readonly onWrite: (rows: readonly ColumnRow[]) => void
}

/** Which heading of a table, element or key holds which detail. */
export function ColumnsInput({ rows, isChecked, onWrite }: ColumnsInputProps) {
  const added = useRef(0)
  const write = (key: string, change: Partial<ColumnRow>): void =>
    onWrite(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  const add = (): void => {
    added.current += 1
    onWrite([...rows, { key: `added-${added.current}`, heading: '', holds: 'history_number' }])
  }
  return (
    <div className={css.stack} role="group" aria-label={t('settings:columns.title')}>
      <div>
        <h3>{t('settings:columns.title')}</h3>
        <p className={css.hint}>{t('settings:columns.hint')}</p>
      </div>
      {rows.map((row) => {
        const name = row.heading.trim()
        const isWrong = isHeadingWrong(rows, row) && (isChecked || name !== '')
        return (
          <div key={row.key} className={css.columnRow}>
            <TextInput
              aria-label={t('settings:columns.heading')}
              placeholder={t('settings:columns.heading')}
              autoComplete="off"
              spellCheck={false}
              maxLength={80}
              value={row.heading}
              error={isWrong && t('settings:columns.nameMissing')}
              onChange={(event) => write(row.key, { heading: event.currentTarget.value })}
            />
            <NativeSelect
              aria-label={`${name} ${t('settings:columns.holds')}`}
              value={row.holds}
              data={[...columnChoices(row.holds)]}
              onChange={(event) => write(row.key, { holds: event.currentTarget.value })}
            />
            <Tooltip label={t('settings:columns.remove', { name })}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={36}
                aria-label={t('settings:columns.remove', { name })}
                onClick={() => onWrite(rows.filter(({ key }) => key !== row.key))}
              >
                <IconTrash size={17} aria-hidden />
              </ActionIcon>
            </Tooltip>
          </div>
        )
      })}
      <div>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={15} aria-hidden />}
          onClick={add}
        >
          {t('settings:columns.add')}
        </Button>
      </div>
    </div>
  )
}
