/** The clinic's patient list, and the columns of data files. */
import { NativeSelect, Stack } from '@mantine/core'
import { useSetState } from '@mantine/hooks'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef } from 'react'
import { FIELD_NAMES } from '../../src-shared/fields.ts'
import type { FolderReading } from '../../src-shared/folder-settings.ts'
import type { PatientListSettings } from '../../src-shared/settings.ts'
import badgeCss from '../components/badges.module.css'
import { IconAction, SmallButton, Toggle } from '../components/controls.tsx'
import { formatInstant } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { fieldLabel, joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { useStation } from '../store/use-station.ts'
import { ChoiceSelect, CodeInput, isWholePath, ManagedGroup, PathInput } from './settings-form.tsx'
import css from './settings-screen.module.css'

/** A heading of a data file and what it holds, as a row of a form. Pure. */
export type ColumnRow = Readonly<Record<'key' | 'heading' | 'holds', string>>

/** What a heading may hold besides the fields; `nothing` means that the heading is ignored. */
const EXTRA = ['birth_date', 'eye', 'file'] as const
const IGNORED_COLUMN = 'nothing'

function columnChoices(holds: string): readonly { readonly value: string; readonly label: string }[] {
  const choices = [
    ...FIELD_NAMES.map((name) => ({ value: name as string, label: fieldLabel(name) })),
    ...EXTRA.map((name) => ({ value: name as string, label: t(`settings:columns.extra.${name}`) })),
    { value: IGNORED_COLUMN, label: t('settings:columns.nothing') },
  ]
  return choices.some(({ value }) => value === holds) ? choices : [...choices, { value: holds, label: holds }]
}

export function columnRowsOf(columns: Readonly<Record<string, string>>): readonly ColumnRow[] {
  return Object.entries(columns).map(([heading, holds], index) => ({ key: `set-${index}`, heading, holds }))
}

function isHeadingWrong(rows: readonly ColumnRow[], row: ColumnRow): boolean {
  const heading = comparable(row.heading)
  return (
    heading === '' || rows.some((other) => other.key !== row.key && comparable(other.heading) === heading)
  )
}

export function readColumnRows(rows: readonly ColumnRow[]): Record<string, string> | null {
  if (rows.some((row) => isHeadingWrong(rows, row))) return null
  return Object.fromEntries(rows.map(({ heading, holds }) => [heading.trim(), holds]))
}

function comparable(heading: string): string {
  return heading.trim().normalize('NFC').toLowerCase()
}

type ColumnsInputProps = {
  readonly rows: readonly ColumnRow[]
  /** Missing values are marked only after an attempt to save. */
  readonly isChecked: boolean
  readonly onWrite: (rows: readonly ColumnRow[]) => void
}

export function ColumnsInput({ rows, isChecked, onWrite }: ColumnsInputProps) {
  const added = useRef(0)
  const write = (key: string, change: Partial<ColumnRow>): void =>
    onWrite(rows.map((row) => (row.key === key ? { ...row, ...change } : row)))
  const add = (): void => {
    added.current += 1
    onWrite([...rows, { key: `added-${added.current}`, heading: '', holds: 'history_number' }])
  }
  return (
    <Stack gap={8} role="group" aria-label={t('settings:columns.title')}>
      <div>
        <h3>{t('settings:columns.title')}</h3>
        <p className="small dim">{t('settings:columns.hint')}</p>
      </div>
      {rows.map((row) => {
        const name = row.heading.trim()
        const isWrong = isHeadingWrong(rows, row) && (isChecked || name !== '')
        return (
          <div key={row.key} className={css.columnRow}>
            <CodeInput
              aria-label={t('settings:columns.heading')}
              placeholder={t('settings:columns.heading')}
              maxLength={80}
              value={row.heading}
              error={isWrong && t('settings:columns.nameMissing')}
              onWrite={(heading) => write(row.key, { heading })}
            />
            <NativeSelect
              aria-label={`${name} ${t('settings:columns.holds')}`}
              value={row.holds}
              data={[...columnChoices(row.holds)]}
              onChange={(event) => write(row.key, { holds: event.currentTarget.value })}
            />
            <IconAction
              label={t('settings:columns.remove', { name })}
              icon={IconTrash}
              onClick={() => onWrite(rows.filter(({ key }) => key !== row.key))}
            />
          </div>
        )
      })}
      <div>
        <SmallButton icon={IconPlus} onClick={add}>
          {t('settings:columns.add')}
        </SmallButton>
      </div>
    </Stack>
  )
}

export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const satisfies readonly FolderReading['dateOrder'][]

export function usePatientList(patientList: PatientListSettings | null) {
  const [form, write] = useSetState({
    isUsed: patientList !== null,
    path: patientList?.path ?? '',
    dateOrder: patientList?.dateOrder ?? 'ymd',
    rows: columnRowsOf(patientList?.columns ?? {}),
  })
  const path = form.path.trim()
  const columns = readColumnRows(form.rows)
  const list =
    !isWholePath(path) || columns === null ? undefined : { path, dateOrder: form.dateOrder, columns }
  /** What is set in the form: null for no list, undefined if an input is wrong. */
  return { form, write, typed: form.isUsed ? list : null }
}

type PatientListCardProps = {
  readonly list: ReturnType<typeof usePatientList>
  readonly isChecked: boolean
}

export function PatientListCard({ list: { form, write }, isChecked }: PatientListCardProps) {
  return (
    <section className={css.card} aria-labelledby="patient-list">
      <h3 id="patient-list">{t('settings:patientList.title')}</h3>
      <p className="dim">{t('settings:patientList.explain')}</p>
      <ManagedGroup part="patientList">
        <PatientListState />
        <Toggle
          label={t('settings:patientList.use')}
          isOn={form.isUsed}
          onWrite={(isUsed) => write({ isUsed })}
        />
        {form.isUsed && (
          <>
            <PathInput
              what="file"
              label={t('settings:patientList.path')}
              description={t('settings:patientList.pathHint')}
              value={form.path}
              error={isChecked && !isWholePath(form.path) && t('settings:folders.pathMissing')}
              onWrite={(path) => write({ path })}
            />
            <ChoiceSelect
              label={t('settings:reading.dateOrder')}
              choices={DATE_ORDERS}
              value={form.dateOrder}
              labelOf={(value) => t(`settings:reading.dateOrders.${value}`)}
              onChoose={(dateOrder) => write({ dateOrder })}
            />
            <ColumnsInput rows={form.rows} isChecked={isChecked} onWrite={(rows) => write({ rows })} />
          </>
        )}
      </ManagedGroup>
    </section>
  )
}

function PatientListState() {
  const list = useStation((state) => state.status?.patientList)
  if (!list) return null
  return (
    <Stack role="status" gap={8}>
      <div className={css.folderHead}>
        <span className={badgeCss.badge} data-tone={HEALTH_TONES[list.kind]}>
          {t(`settings:patientList.health.${list.kind}`)}
        </span>
        {list.kind !== 'off' && list.readAt !== null && (
          <span className="dim tabular">
            {joinTexts(
              t('settings:patientList.patients', { count: formatCount(list.patients) }),
              t('settings:patientList.readAt', { when: formatInstant(list.readAt) }),
            )}
          </span>
        )}
      </div>
      {list.message !== null && (
        <p className={list.kind === 'read' ? 'dim' : 'red'}>
          {messageOf({ message: list.message, wording: list.wording })}
        </p>
      )}
    </Stack>
  )
}

const HEALTH_TONES = { off: 'grey', settling: 'grey', read: 'green', unreachable: 'red', unreadable: 'red' }
