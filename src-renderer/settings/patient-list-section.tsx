import { NativeSelect, Switch, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { PatientListSettings } from '../../src-shared/settings.ts'
import { formatInstant } from '../format/instants.ts'
import { formatCount } from '../format/numbers.ts'
import { showToast } from '../shell/tell.tsx'
import { useStation } from '../store/use-station.ts'
import { columnRowsOf, readColumnRows } from './column-rows.ts'
import { ColumnsInput } from './columns-input.tsx'
import { DATE_ORDERS } from './date-orders.ts'
import { ManagedGroup } from './managed-part.tsx'
import { SettingsForm } from './settings-form.tsx'
import css from './settings-screen.module.css'
import { useSaveSettings } from './use-save-settings.ts'
import { said } from '../words/said.ts'
import { t } from '../words/t.ts'

const PARTS = ['patientList'] as const

/** The clinic's own list of patients: where it lies, how it is written, and how it is. */
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

/** How the list is that is in use, and what its keeper should know. */
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
        <p className={list.kind === 'read' ? 'dim' : css.trouble}>{said(list.message)}</p>
      )}
      {isOld && <p className="dim">{t('settings:patientList.stillUsed')}</p>}
    </div>
  )
}

/** The colours of a folder's health, for the same meanings. */
const HEALTH_STYLES = {
  off: 'paused',
  settling: 'starting',
  read: 'watching',
  unreachable: 'unreachable',
  unreadable: 'unreachable',
} as const
