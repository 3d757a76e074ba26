import { Switch } from '@mantine/core'
import { useState } from 'react'
import type { StorageSettings } from '../../src-shared/settings.ts'
import { formatBytes } from '../format/numbers.ts'
import { showToast } from '../shell/tell.tsx'
import { gigabytesText, readGigabytes, SPACE_LIMITS } from './amounts.ts'
import { NumberSetting } from './number-setting.tsx'
import { readSetting } from './read-setting.ts'
import { ManagedGroup } from './managed-part.tsx'
import { SettingsForm } from './settings-form.tsx'
import css from './settings-screen.module.css'
import { useSaveSettings } from './use-save-settings.ts'
import { t } from '../words/t.ts'

const DAYS = { min: 1, max: 36_500, isWhole: true } as const
const PARTS = ['storage'] as const

/** Half a year: what the field offers where nothing was removed so far. */
const DEFAULT_DAYS = 180

/** What is kept on this computer: for how long images stay, and how much space must stay free. */
export function StorageSection({ storage }: { readonly storage: StorageSettings }) {
  const { save, isSaving } = useSaveSettings()
  const [isRemoving, setRemoving] = useState(storage.keepImagesDays !== null)
  const [days, setDays] = useState(String(storage.keepImagesDays ?? DEFAULT_DAYS))
  const [space, setSpace] = useState(gigabytesText(storage.lowWaterBytes))

  const submit = (): void => {
    const keepImagesDays = readSetting(days, DAYS)
    const lowWaterBytes = readGigabytes(space, storage.lowWaterBytes)
    if ((isRemoving && keepImagesDays === null) || lowWaterBytes === null) {
      showToast({ tone: 'red', message: t('settings:correctFirst') })
      return
    }
    void save({
      storage: { ...storage, keepImagesDays: isRemoving ? keepImagesDays : null, lowWaterBytes },
    })
  }
  return (
    <SettingsForm explain={t('settings:storage.explain')} keys={PARTS} isSaving={isSaving} onSave={submit}>
      <ManagedGroup keys={PARTS}>
        <div className={css.card}>
          <h3>{t('settings:storage.retention')}</h3>
          <Switch
            label={t('settings:storage.remove')}
            checked={isRemoving}
            onChange={(event) => setRemoving(event.currentTarget.checked)}
          />
          <NumberSetting
            label={t('settings:storage.days')}
            unit={t('settings:storage.dayUnit')}
            limits={DAYS}
            text={days}
            isUsed={isRemoving}
            onWrite={setDays}
          />
          <p className={css.hint}>
            {isRemoving
              ? t('settings:storage.removeMeans', { count: Number(days) })
              : t('settings:storage.keepMeans')}
          </p>
        </div>
        <div className={css.card}>
          <h3>{t('settings:storage.free')}</h3>
          <NumberSetting
            label={t('settings:storage.lowWater')}
            description={t('settings:storage.lowWaterHint')}
            unit={t('settings:storage.gigabytes')}
            limits={SPACE_LIMITS}
            text={space}
            onWrite={setSpace}
          />
          <dl className={css.facts}>
            <dt>{t('settings:storage.ballast')}</dt>
            <dd>{t('settings:storage.ballastText', { size: formatBytes(storage.ballastBytes) })}</dd>
          </dl>
        </div>
      </ManagedGroup>
    </SettingsForm>
  )
}
