import { Button, Switch } from '@mantine/core'
import { useState } from 'react'
import type { StorageSettings } from '../../src-shared/settings.ts'
import { tell } from '../shell/tell.tsx'
import { SETTINGS_WORDS } from '../words/settings-words.ts'
import { gigabytesText, readGigabytes, SPACE_LIMITS } from './amounts.ts'
import { NumberSetting } from './number-setting.tsx'
import { readSetting } from './read-setting.ts'
import css from './settings-screen.module.css'
import { useSaveSettings } from './use-save-settings.ts'

const WORDS = SETTINGS_WORDS.storage
const DAYS = { min: 1, max: 36_500, isWhole: true } as const
/** Half a year: what the field offers where nothing was removed so far. */
const USUAL_DAYS = 180

/** What is kept on this computer: for how long images stay, and how much space must stay free. */
export function StorageSection({ storage }: { readonly storage: StorageSettings }) {
  const { save, isSaving } = useSaveSettings()
  const [isRemoving, setRemoving] = useState(storage.keepImagesDays !== null)
  const [days, setDays] = useState(String(storage.keepImagesDays ?? USUAL_DAYS))
  const [space, setSpace] = useState(gigabytesText(storage.lowWaterBytes))

  const submit = (): void => {
    const keepImagesDays = readSetting(days, DAYS)
    const lowWaterBytes = readGigabytes(space, storage.lowWaterBytes)
    if ((isRemoving && keepImagesDays === null) || lowWaterBytes === null) {
      tell({ tone: 'red', message: SETTINGS_WORDS.correctFirst })
      return
    }
    void save({
      storage: { ...storage, keepImagesDays: isRemoving ? keepImagesDays : null, lowWaterBytes },
    })
  }
  return (
    <form
      className={css.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p className={css.explain}>{WORDS.explain}</p>
      <div className={css.card}>
        <h3>{WORDS.retention}</h3>
        <Switch
          label={WORDS.remove}
          checked={isRemoving}
          onChange={(event) => setRemoving(event.currentTarget.checked)}
        />
        <NumberSetting
          label={WORDS.days}
          unit={WORDS.dayUnit}
          limits={DAYS}
          text={days}
          isUsed={isRemoving}
          onWrite={setDays}
        />
        <p className={css.hint}>{isRemoving ? WORDS.removeMeans(days) : WORDS.keepMeans}</p>
      </div>
      <div className={css.card}>
        <h3>{WORDS.free}</h3>
        <NumberSetting
          label={WORDS.lowWater}
          description={WORDS.lowWaterHint}
          unit={WORDS.gigabytes}
          limits={SPACE_LIMITS}
          text={space}
          onWrite={setSpace}
        />
      </div>
      <div className={css.foot}>
        <Button type="submit" loading={isSaving}>
          {SETTINGS_WORDS.save}
        </Button>
      </div>
    </form>
  )
}
