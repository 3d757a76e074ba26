/** The clinic's patient list, and the columns of data files. */
import { Button, NativeSelect, Switch, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { FIELD_NAMES } from '../../src-shared/fields.ts'
import type { Profile } from '../../src-shared/profile.ts'
import type { PatientListSettings } from '../../src-shared/settings.ts'
import { IconAction } from '../components/controls.tsx'
import { formatInstant } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { fieldLabel, messageOf, t } from '../i18n/i18n.ts'
import { showToast } from '../shell/toast.tsx'
import { useStation } from '../store/use-station.ts'
import { ManagedGroup, SettingsForm, useSaveSettings } from './settings-form.tsx'
import css from './settings-screen.module.css'

/** A heading of a data file and what it holds, as a row of a form. Pure. */
export type ColumnRow = {
  /** Our own key, to identify rows during editing. */
  readonly key: string
  readonly heading: string
  readonly holds: string
}

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

/** Is the heading empty or used twice? */
function isHeadingWrong(rows: readonly ColumnRow[], row: ColumnRow): boolean {
  const heading = comparable(row.heading)
  return (
    heading === '' || rows.some((other) => other.key !== row.key && comparable(other.heading) === heading)
  )
}

/** The columns of the rows; null if a heading is missing or repeated. */
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
            <IconAction
              label={t('settings:columns.remove', { name })}
              icon={IconTrash}
              onClick={() => onWrite(rows.filter(({ key }) => key !== row.key))}
            />
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

/** In display order. */
export const DATE_ORDERS = ['ymd', 'dmy', 'mdy'] as const satisfies readonly Profile['dateOrder'][]

const PARTS = ['patientList'] as const

/** The clinic's patient list: its path, its format, and its state. */
export function PatientListSection({ patientList }: { readonly patientList: PatientListSettings | null }) {
  const { save, isSaving } = useSaveSettings()
  const [isUsed, setUsed] = useState(patientList !== null)
  const [path, setPath] = useState(patientList?.path ?? '')
  const [dateOrder, setDateOrder] = useState(patientList?.dateOrder ?? 'ymd')
  const [rows, setRows] = useState(() => columnRowsOf(patientList?.columns ?? {}))
  const [isChecked, setChecked] = useState(false)

  const submit = (): void => {
    const columns = readColumnRows(rows)
    setChecked(true)
    if (!isUsed) void save({ patientList: null })
    else if (path.trim() === '' || columns === null)
      showToast({ tone: 'red', message: t('settings:correctFirst') })
    else void save({ patientList: { path: path.trim(), dateOrder, columns } })
  }
  return (
    <SettingsForm
      explain={t('settings:patientList.explain')}
      keys={PARTS}
      isSaving={isSaving}
      onSave={submit}
    >
      <ManagedGroup keys={PARTS}>
        <div className={css.card}>
          <PatientListState />
          <Switch
            label={t('settings:patientList.use')}
            checked={isUsed}
            onChange={(event) => setUsed(event.currentTarget.checked)}
          />
          {isUsed && (
            <>
              <TextInput
                label={t('settings:patientList.path')}
                description={t('settings:patientList.pathHint')}
                autoComplete="off"
                spellCheck={false}
                value={path}
                error={isChecked && path.trim() === '' && t('settings:patientList.pathMissing')}
                onChange={(event) => setPath(event.currentTarget.value)}
              />
              <NativeSelect
                label={t('settings:patientList.dateOrder')}
                value={dateOrder}
                data={DATE_ORDERS.map((value) => ({
                  value,
                  label: t(`settings:profiles.dateOrders.${value}`),
                }))}
                onChange={(event) =>
                  setDateOrder(DATE_ORDERS.find((value) => value === event.currentTarget.value) ?? 'ymd')
                }
              />
              <ColumnsInput rows={rows} isChecked={isChecked} onWrite={setRows} />
            </>
          )}
        </div>
      </ManagedGroup>
    </SettingsForm>
  )
}

/** The state of the list in use, and what its maintainer should know. */
function PatientListState() {
  const list = useStation((state) => state.status?.patientList)
  if (!list) return null
  const isOld = list.kind !== 'read' && list.kind !== 'off' && list.readAt !== null
  return (
    <div role="status" className={css.stack}>
      <div className={css.folderHead}>
        <span className={css.health} data-health={HEALTH_STYLES[list.kind]}>
          {t(`settings:patientList.health.${list.kind}`)}
        </span>
        {list.kind !== 'off' && list.readAt !== null && (
          <span className="dim tabular">
            {[
              t('settings:patientList.patients', { count: formatCount(list.patients) }),
              t('settings:patientList.readAt', { when: formatInstant(list.readAt) }),
            ].join(' \u00b7 ')}
          </span>
        )}
      </div>
      {list.message !== null && (
        <p className={list.kind === 'read' ? 'dim' : css.trouble}>
          {messageOf({ message: list.message, wording: list.wording })}
        </p>
      )}
      {isOld && <p className="dim">{t('settings:patientList.stillUsed')}</p>}
    </div>
  )
}

/** The same colours as for a folder's health. */
const HEALTH_STYLES = {
  off: 'paused',
  settling: 'starting',
  read: 'watching',
  unreachable: 'unreachable',
  unreadable: 'unreachable',
} as const
