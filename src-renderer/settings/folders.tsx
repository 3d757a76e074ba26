/** The watched folders and their settings. */
import { Button, Group } from '@mantine/core'
import { IconFolder, IconPlus, IconTrash } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { isCalendarDate } from '../../src-shared/fields.ts'
import {
  type FolderReading,
  type FolderSettings,
  folderSettingsSchema,
} from '../../src-shared/folder-settings.ts'
import type { FolderStatus } from '../../src-shared/station-status.ts'
import badgeCss from '../components/badges.module.css'
import { ActionButton, DayInput, EmptyState, IconAction, Toggle } from '../components/controls.tsx'
import { ConfirmDialog } from '../components/dialog.tsx'
import { formatCalendarDay, formatInstant } from '../format/dates.ts'
import { formatCount } from '../format/numbers.ts'
import { joinTexts, messageOf, t } from '../i18n/i18n.ts'
import { runCall } from '../shell/toast.tsx'
import { useAnswer, useSession, useStation } from '../store/use-station.ts'
import {
  FolderPreview,
  FolderReadingFields,
  type ReadingForm,
  readingFormOf,
  readReadingForm,
} from './folder-reading.tsx'
import { PatientListCard, usePatientList } from './patient-list.tsx'
import { ConfirmedNames } from './profiles/confirmed-names.tsx'
import {
  ChoiceSelect,
  isEnforced,
  ManagedGroup,
  type NumberLimits,
  NumberSetting,
  isWholePath,
  PathInput,
  type SectionProps,
  SettingsForm,
  useManaged,
  useSaving,
} from './settings-form.tsx'
import css from './settings-screen.module.css'

type Seconds = 'settleSeconds' | 'quietSeconds' | 'sweepSeconds'

/** A folder's settings in its form. What only the file sets is preserved. */
export type FolderForm = Omit<FolderSettings, keyof FolderReading | Seconds | 'existing' | 'existingSince'> &
  ReadingForm &
  Readonly<Record<Seconds, number | undefined>> & {
    readonly key: string
    readonly existing: NonNullable<FolderSettings['existing']>
    readonly existingSince: string
  }

/** The limits of the contract, in seconds. */
const FOLDER_LIMITS = {
  settleSeconds: { min: 0, max: 3_600 },
  quietSeconds: { min: 0, max: 86_400 },
  sweepSeconds: { min: 1, max: 86_400 },
} as const satisfies Record<Seconds, NumberLimits>

const SECONDS = Object.keys(FOLDER_LIMITS) as Seconds[]

export function folderFormOf(folder: FolderSettings, key: string): FolderForm {
  const { leaveAlone: _ignored, eyeWords: _eyes, columns: _columns, ...rest } = folder
  const { existing = 'ask', existingSince = '' } = folder
  return { ...rest, ...readingFormOf(folder), key, existing, existingSince }
}

export function newFolderForm(key: string): FolderForm {
  return { ...folderFormOf(folderSettingsSchema.parse({ path: '?' }), key), path: '' }
}

export function dayProblem({ existing, existingSince }: FolderForm): string | null {
  return existing === 'since' && !isCalendarDate(existingSince) ? t('settings:folders.sinceMissing') : null
}

export function readFolderForm(form: FolderForm): FolderSettings | null {
  const { key: _key, existingSince, rightWords: _right, leftWords: _left, ...rest } = form
  const { reading } = readReadingForm(form)
  if (reading === null || dayProblem(form) !== null || !isWholePath(form.path)) return null
  // The schema would take its own numbers in place of wrong ones.
  if (SECONDS.some((name) => form[name] === undefined)) return null
  const read = folderSettingsSchema.safeParse({
    ...rest,
    ...reading,
    path: form.path.trim(),
    ...(isCalendarDate(existingSince) && { existingSince }),
  })
  return read.data ?? null
}

const HEALTH_TONES: Readonly<Record<FolderStatus['health'] | 'notSaved', string>> = {
  watching: 'green',
  unreachable: 'red',
  taken: 'red',
  asking: 'amber',
  notSaved: 'amber',
  starting: 'grey',
  paused: 'grey',
}

/** The state of a folder, what is wrong, and whether a second station is prevented from using it. */
function FolderHead({ form, status, onRemove }: Pick<FolderCardProps, 'form' | 'status' | 'onRemove'>) {
  const managed = useManaged()
  const health = status?.health ?? 'notSaved'
  return (
    <>
      <div className={css.folderHead}>
        <IconFolder size={20} stroke={1.7} aria-hidden />
        <span className={badgeCss.badge} data-tone={HEALTH_TONES[health]}>
          {health === 'notSaved' ? t('editor:autosave.unsaved') : t(`settings:folders.health.${health}`)}
        </span>
        <span className="grow dim">
          {status &&
            joinTexts(
              t('shell:since', { when: formatInstant(status.since) }),
              status.lastImageAt === null
                ? t('settings:folders.noImage')
                : t('settings:folders.lastImage', { when: formatInstant(status.lastImageAt) }),
            )}
        </span>
        {!isEnforced(managed, 'folders') && (
          <IconAction
            label={t('settings:folders.remove', { path: form.path })}
            icon={IconTrash}
            iconSize={18}
            onClick={onRemove}
          />
        )}
      </div>
      {status?.failure && <p className="red">{messageOf(status.failure)}</p>}
      {status?.health === 'paused' && <p className="dim">{t('settings:folders.pausedMeans')}</p>}
      {status?.guard === 'unguarded' && status.health !== 'taken' && (
        <p className="amber">{t('settings:folders.guard.unguarded')}</p>
      )}
    </>
  )
}

/** Asks once what to do with these files; counts them before anything is ingested. */
function ExistingDecision({ path, count }: { readonly path: string; readonly count: number }) {
  const session = useSession()
  const [asked, setAsked] = useState<'include' | 'since' | null>(null)
  const [since, setSince] = useState('')
  const isDay = isCalendarDate(since)
  const counted = useAnswer('folders.countExisting', { path, ...(isDay && { since }) })
  const { oldestAt = null, newestAt = null } = counted.value ?? {}
  const sinceCount = isDay && !counted.isReading ? (counted.value?.sinceCount ?? null) : null
  const taken = formatCount(asked === 'since' ? (sinceCount ?? 0) : count)

  const decide = async (existing: 'include' | 'since' | 'ignore'): Promise<void> => {
    setAsked(null)
    const input = existing === 'since' ? { path, existing, since } : { path, existing }
    await runCall(session, 'folders.decideExisting', input)
  }
  return (
    <div className={css.asking}>
      <strong>{t('settings:folders.asking.title', { count: formatCount(count) })}</strong>
      <p>{t('settings:folders.asking.body')}</p>
      <p className="tabular">
        {oldestAt !== null && newestAt !== null
          ? t('settings:folders.asking.range', {
              oldest: formatInstant(oldestAt),
              newest: formatInstant(newestAt),
            })
          : '\u00a0'}
      </p>
      <div className={css.sinceLine}>
        <DayInput
          label={t('settings:folders.asking.sinceLabel')}
          value={since}
          onChange={(event) => setSince(event.currentTarget.value)}
        />
        <Button variant="default" disabled={!sinceCount} onClick={() => setAsked('since')}>
          {t('settings:folders.asking.since')}
        </Button>
        <span className="tabular" role="status">
          {!isDay
            ? t('settings:folders.asking.sinceHint')
            : sinceCount === null
              ? t('settings:folders.asking.counting')
              : t('settings:folders.asking.sinceCount', { count: formatCount(sinceCount) })}
        </span>
      </div>
      <Group gap={8}>
        <Button variant="default" onClick={() => void decide('ignore')}>
          {t('settings:folders.existingChoices.ignore')}
        </Button>
        <Button variant="default" onClick={() => setAsked('include')}>
          {t('settings:folders.existingChoices.include')}
        </Button>
      </Group>
      <ConfirmDialog
        opened={asked !== null}
        onClose={() => setAsked(null)}
        title={
          asked === 'since'
            ? t('settings:folders.asking.confirmSince', { count: taken, day: formatCalendarDay(since) })
            : t('settings:folders.asking.confirmTitle', { count: taken })
        }
        text={t('settings:folders.asking.confirm')}
        action={t(
          asked === 'since' ? 'settings:folders.asking.since' : 'settings:folders.existingChoices.include',
        )}
        onConfirm={() => asked && void decide(asked)}
      />
    </div>
  )
}

export const EXISTING = ['ask', 'include', 'since', 'ignore'] as const

type FolderInputProps = {
  readonly form: FolderForm
  /** Missing values are marked only after an attempt to save. */
  readonly isChecked: boolean
  readonly onWrite: (change: Partial<FolderForm>) => void
}

export function FolderPath({ form, isChecked, onWrite }: FolderInputProps) {
  return (
    <PathInput
      what="folder"
      label={t('settings:folders.path')}
      description={t('settings:folders.pathHint')}
      // A folder that was just added.
      autoFocus={form.path === ''}
      value={form.path}
      error={isChecked && !isWholePath(form.path) && t('settings:folders.pathMissing')}
      onWrite={(path) => onWrite({ path })}
    />
  )
}

export function FirstDay({ form, isChecked, onWrite }: FolderInputProps) {
  return (
    <DayInput
      label={t('settings:folders.since')}
      value={form.existingSince}
      error={isChecked && dayProblem(form)}
      onChange={(event) => onWrite({ existingSince: event.currentTarget.value })}
    />
  )
}

type FolderCardProps = FolderInputProps & {
  readonly status: FolderStatus | null
  readonly onRemove: () => void
}

function FolderCard({ form, status, isChecked, onWrite, onRemove }: FolderCardProps) {
  const number = (name: Seconds) => (
    <NumberSetting
      label={t(`settings:folders.${name}`)}
      unit={t('settings:folders.seconds')}
      limits={FOLDER_LIMITS[name]}
      value={form[name]}
      onWrite={(seconds) => onWrite({ [name]: seconds })}
    />
  )
  return (
    <section className={css.card} aria-label={form.path === '' ? t('settings:folders.path') : form.path}>
      <FolderHead form={form} status={status} onRemove={onRemove} />
      {status?.health === 'asking' && <ExistingDecision path={status.path} count={status.existingCount} />}
      <ManagedGroup part="folders">
        <FolderPath form={form} isChecked={isChecked} onWrite={onWrite} />
        <Toggle
          label={t('settings:folders.watching')}
          isOn={form.watching === 'on'}
          onWrite={(isOn) => onWrite({ watching: isOn ? 'on' : 'paused' })}
        />
        <h3 className={css.group}>{t('settings:folders.groups.cases')}</h3>
        <div className={css.pair}>{number('quietSeconds')}</div>
        <Toggle
          label={t('settings:folders.review')}
          description={t('settings:folders.reviewHint')}
          isOn={form.sendWithoutReview}
          onWrite={(isOn) => onWrite({ sendWithoutReview: isOn })}
        />
        <h3 className={css.group}>{t('settings:folders.groups.files')}</h3>
        <div className={css.pair}>
          {number('settleSeconds')}
          {number('sweepSeconds')}
          <ChoiceSelect
            label={t('settings:folders.existing')}
            choices={EXISTING}
            value={form.existing}
            labelOf={(value) => t(`settings:folders.existingChoices.${value}`)}
            onChoose={(existing) => onWrite({ existing })}
          />
          {form.existing !== 'since' && <span />}
          {form.existing === 'since' && <FirstDay form={form} isChecked={isChecked} onWrite={onWrite} />}
          <ChoiceSelect
            label={t('settings:folders.dicom')}
            choices={['unwrap', 'original']}
            value={form.dicom}
            labelOf={(value) => t(`settings:folders.dicomChoices.${value}`)}
            onChoose={(dicom) => onWrite({ dicom })}
          />
        </div>
        <Toggle
          label={t('settings:folders.lease')}
          description={t('settings:folders.leaseHint')}
          isOn={form.lease === 'on'}
          onWrite={(isOn) => onWrite({ lease: isOn ? 'on' : 'off' })}
        />
        <h3 className={css.group}>{t('settings:folders.groups.reading')}</h3>
        <FolderReadingFields form={form} isChecked={isChecked} onWrite={onWrite} />
      </ManagedGroup>
      <FolderPreview path={form.path.trim()} form={form} />
      {status && <ConfirmedNames path={status.path} />}
    </section>
  )
}

/** The folders, and the list that completes what their files state. */
export function FoldersSection({ settings: { folders, patientList } }: SectionProps) {
  const statuses = useStation((state) => state.status?.folders)
  const managed = useManaged()
  const [forms, setForms] = useState(() =>
    folders.map((folder, index) => folderFormOf(folder, String(index))),
  )
  const nextKey = useRef(folders.length)
  const list = usePatientList(patientList)
  const typed = forms.map(readFolderForm)
  const saving = useSaving({
    folders: typed.includes(null) ? undefined : typed.filter((folder) => folder !== null),
    patientList: list.typed,
  })
  const { isChecked } = saving

  const write = (key: string, change: Partial<FolderForm>): void =>
    setForms((before) => before.map((form) => (form.key === key ? { ...form, ...change } : form)))
  const add = (): void => {
    setForms((before) => [...before, newFolderForm(String(nextKey.current))])
    nextKey.current += 1
  }
  return (
    <SettingsForm section="folders" saving={saving}>
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
          isChecked={isChecked}
          onWrite={(change) => write(form.key, change)}
          onRemove={() => setForms((before) => before.filter(({ key }) => key !== form.key))}
        />
      ))}
      {!isEnforced(managed, 'folders') && (
        <div>
          <ActionButton icon={IconPlus} onClick={add}>
            {t('settings:folders.add')}
          </ActionButton>
        </div>
      )}
      <PatientListCard list={list} isChecked={isChecked} />
    </SettingsForm>
  )
}
