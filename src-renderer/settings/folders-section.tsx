import { Button } from '@mantine/core'
import { IconFolder, IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import type { Profile } from '../../src-shared/profile.ts'
import type { FolderSettings } from '../../src-shared/folder-settings.ts'
import { EmptyState } from '../parts/empty-place.tsx'
import { showToast } from '../shell/tell.tsx'
import { useStation } from '../store/use-station.ts'
import { FolderCard } from './folder-card.tsx'
import { folderFormOf, newFolderForm, readFolderForm, type FolderForm } from './folder-form.ts'
import { isEnforced } from './managed.ts'
import { SettingsForm } from './settings-form.tsx'
import css from './settings-screen.module.css'
import { useManaged } from './use-managed.ts'
import { useSaveSettings } from './use-save-settings.ts'
import { t } from '../words/t.ts'

const PARTS = ['folders'] as const

export type FoldersSectionProps = {
  readonly folders: readonly FolderSettings[]
  readonly ownProfiles: readonly Profile[]
}

/** The watched folders: how each is read, how it is, and what becomes of what lay there before. */
export function FoldersSection({ folders, ownProfiles }: FoldersSectionProps) {
  const statuses = useStation((state) => state.status?.folders)
  const { save, isSaving } = useSaveSettings()
  const managed = useManaged()
  const [forms, setForms] = useState(() =>
    folders.map((folder, index) => folderFormOf(folder, String(index))),
  )
  const nextKey = useRef(folders.length)
  const [isChecked, setChecked] = useState(false)

  const write = (key: string, change: Partial<FolderForm>): void =>
    setForms((before) => before.map((form) => (form.key === key ? { ...form, ...change } : form)))
  const add = (): void => {
    setForms((before) => [...before, newFolderForm(String(nextKey.current))])
    nextKey.current += 1
    setChecked(false)
  }
  const submit = (): void => {
    const wanted = forms.map(readFolderForm)
    setChecked(true)
    if (wanted.includes(null)) showToast({ tone: 'red', message: t('settings:correctFirst') })
    else void save({ folders: wanted.filter((folder) => folder !== null) })
  }

  return (
    <SettingsForm
      explain={t('settings:folders.explain')}
      keys={PARTS}
      isSaving={isSaving}
      onSave={submit}
      actions={
        !isEnforced(managed, 'folders') && (
          <Button variant="default" leftSection={<IconPlus size={17} aria-hidden />} onClick={add}>
            {t('settings:folders.add')}
          </Button>
        )
      }
    >
      {forms.length === 0 && (
        <div className={css.card}>
          <EmptyState
            icon={IconFolder}
            title={t('settings:folders.none.title')}
            body={t('settings:folders.none.body')}
          />
        </div>
      )}
      {forms.map((form) => (
        <FolderCard
          key={form.key}
          form={form}
          status={statuses?.find(({ path }) => path === form.path) ?? null}
          ownProfiles={ownProfiles}
          isChecked={isChecked}
          onWrite={(change) => write(form.key, change)}
          onRemove={() => setForms((before) => before.filter(({ key }) => key !== form.key))}
        />
      ))}
    </SettingsForm>
  )
}
