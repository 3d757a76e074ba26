import { Button, TextInput } from '@mantine/core'
import { IconDeviceFloppy, IconPencilPlus, IconTrash } from '@tabler/icons-react'
import type { ShownSettings } from '../../../src-shared/settings.ts'
import { SHIPPED_PROFILES } from '../../../src-shared/shipped-profiles.ts'
import { showToast } from '../../shell/tell.tsx'
import { ManagedGroup } from '../managed-part.tsx'
import screen from '../settings-screen.module.css'
import { useSaveSettings } from '../use-save-settings.ts'
import { freshKey, withProfile, type Drafts, type ShownProfile } from './profile-drafts.ts'
import { ownFormOf, type ProfileForm } from './profile-form.ts'
import { ProfileSelect } from './profile-select.tsx'
import { ShippedProfile } from './shipped-profile.tsx'
import { t } from '../../words/t.ts'

export type ProfileChooserProps = {
  readonly settings: ShownSettings
  readonly chosen: string
  readonly drafts: Drafts
  readonly shown: ShownProfile
  /** The folder that it is tried on. */
  readonly path: string
  readonly onChoose: (key: string) => void
  readonly onBegin: (key: string, draft: ProfileForm) => void
  /** Forgets what was written of the chosen one and goes on with another. */
  readonly onForget: (next: string) => void
  readonly onWrite: (change: Partial<ProfileForm>) => void
  readonly onRefused: () => void
}

/** Which profile is looked at, and what can be done with it: make an own one, save, remove, use. */
export function ProfileChooser(props: ProfileChooserProps) {
  const { settings, chosen, drafts, shown, path, onChoose, onBegin, onForget, onWrite, onRefused } = props
  const { save, isSaving } = useSaveSettings()
  const { form, saved, isDraft, isNew, profile, problems } = shown
  const own = settings.profiles
  const usedBy = settings.folders.filter((folder) => folder.profile === chosen).map((folder) => folder.path)
  const isShipped = SHIPPED_PROFILES.some((one) => one.profile.id === form?.id.trim())
  const folder = settings.folders.find((one) => one.path === path)
  const isUsable = folder && folder.profile !== chosen && !isDraft

  const saveProfile = async (): Promise<void> => {
    if (profile === null) {
      onRefused()
      showToast({ tone: 'red', message: t('settings:correctFirst') })
    } else if (await save({ profiles: withProfile(own, chosen, profile) })) onForget(profile.id)
  }
  const remove = async (): Promise<void> => {
    if (await save({ profiles: own.filter(({ id }) => id !== chosen) })) onForget(isShipped ? chosen : 'auto')
  }
  const use = async (): Promise<void> => {
    const folders = settings.folders.map((one) => (one === folder ? { ...one, profile: chosen } : one))
    if (await save({ folders })) showToast({ tone: 'green', message: t('settings:profiles.used') })
  }
  return (
    <div className={screen.card}>
      <ProfileSelect
        label={t('settings:profiles.choose')}
        own={own}
        drafts={drafts}
        value={chosen}
        onChoose={onChoose}
      />
      {form ? (
        <div className={screen.pair}>
          <TextInput
            label={t('settings:profiles.title')}
            autoComplete="off"
            maxLength={80}
            value={form.title}
            error={problems.fields.title}
            onChange={(event) => onWrite({ title: event.currentTarget.value })}
          />
          <TextInput
            label={t('settings:profiles.id')}
            autoComplete="off"
            spellCheck={false}
            maxLength={61}
            readOnly={!isNew}
            value={form.id}
            error={problems.fields.id}
            onChange={(event) => onWrite({ id: event.currentTarget.value })}
          />
        </div>
      ) : (
        <ShippedProfile profile={saved} />
      )}
      {(isShipped || isNew) && (
        <p className="dim">{isShipped ? t('settings:profiles.replaces') : t('settings:profiles.idHint')}</p>
      )}
      <ManagedGroup keys={['profiles']}>
        <div className={`${screen.foot} ${screen.wrap}`}>
          {form ? (
            <Button
              leftSection={<IconDeviceFloppy size={17} aria-hidden />}
              disabled={!isDraft}
              loading={isSaving}
              onClick={() => void saveProfile()}
            >
              {t('settings:profiles.save')}
            </Button>
          ) : (
            <Button
              variant="default"
              leftSection={<IconPencilPlus size={17} aria-hidden />}
              onClick={() => onBegin(freshKey(drafts), ownFormOf(saved, own))}
            >
              {saved ? t('settings:profiles.makeOwn') : t('settings:profiles.makeNew')}
            </Button>
          )}
          {isUsable && (
            <Button variant="default" loading={isSaving} onClick={() => void use()}>
              {t('settings:profiles.takeHere')}
            </Button>
          )}
          {isDraft && (
            <Button variant="default" onClick={() => onForget(isNew ? 'auto' : chosen)}>
              {t('settings:profiles.discard')}
            </Button>
          )}
          {form && !isNew && (
            <Button
              variant="subtle"
              color="red"
              leftSection={<IconTrash size={17} aria-hidden />}
              disabled={usedBy.length > 0 && !isShipped}
              onClick={() => void remove()}
            >
              {t('settings:profiles.remove')}
            </Button>
          )}
        </div>
      </ManagedGroup>
      {form && !isNew && !isShipped && usedBy.length > 0 && (
        <p className="dim">{t('settings:profiles.usedBy', { paths: usedBy.join(', ') })}</p>
      )}
    </div>
  )
}
