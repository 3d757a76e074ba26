/** The first set-up: the folder, the service, and whether the station is ready. Each answer is saved when its step is left. */
import { Button, Loader, Radio, UnstyledButton } from '@mantine/core'
import { useSetState } from '@mantine/hooks'
import { IconAlertTriangle, IconArrowRight, IconCheck } from '@tabler/icons-react'
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from 'react'
import { Form } from '../components/controls.tsx'
import { useCenters } from '../decisions/center-choice.tsx'
import { failureTitle, joinTexts, t } from '../i18n/i18n.ts'
import { FolderPreview } from '../settings/folder-reading.tsx'
import {
  EXISTING,
  FirstDay,
  type FolderForm,
  folderFormOf,
  FolderPath,
  newFolderForm,
  readFolderForm,
} from '../settings/folders.tsx'
import { ConnectionPanel, ServiceFields, useServiceForm } from '../settings/service.tsx'
import { ManagedGroup, RadioChoice, type SectionProps, useSaving } from '../settings/settings-form.tsx'
import css from '../settings/settings-screen.module.css'
import { goTo } from '../shell/navigation.tsx'
import { useStation } from '../store/use-station.ts'
import {
  centerChoices,
  centerText,
  firstStep,
  markOf,
  NEVER,
  SETUP_STEPS,
  type SetupStep,
} from './setup-steps.ts'

type StepProps = SectionProps & { readonly onShow: (step: SetupStep) => void }

type StepFrameProps = {
  readonly title: string
  readonly explain: string
  readonly continueLabel?: string
  readonly isBusy: boolean
  readonly onContinue: () => void
  readonly children: ReactNode
}

/** One step: its question, its inputs, and its buttons. Enter continues, like the button. */
function StepFrame(props: StepFrameProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // A screen reader and the keyboard continue at the new step.
  useEffect(() => heading.current?.focus(), [])
  return (
    <Form className={css.form} onSubmit={props.onContinue}>
      <div>
        <h2 ref={heading} tabIndex={-1} className={css.heading}>
          {props.title}
        </h2>
        <p className="dim">{props.explain}</p>
      </div>
      {props.children}
      <div className={css.goOn}>
        <Button type="submit" loading={props.isBusy} rightSection={<IconArrowRight size={17} aria-hidden />}>
          {props.continueLabel ?? t('setup:continue')}
        </Button>
      </div>
    </Form>
  )
}

function FolderStep({ settings, onShow }: StepProps) {
  const [first, ...further] = settings.folders
  // Asked here, and not again: the default is what ends in rows.
  const [form, write] = useSetState<FolderForm>(
    first ? folderFormOf(first, '0') : { ...newFolderForm('0'), existing: 'include' },
  )
  const path = form.path.trim()
  const folder = readFolderForm(form)
  const isLeftOut = first === undefined && path === ''
  const saving = useSaving(isLeftOut ? {} : { folders: folder ? [folder, ...further] : undefined })
  const { isChecked } = saving
  return (
    <StepFrame
      title={t('setup:folder.title')}
      explain={t('setup:folder.explain')}
      isBusy={saving.isBusy}
      onContinue={() => void saving.save().then((isSaved) => isSaved && onShow('service'))}
    >
      <div className={css.card}>
        <ManagedGroup part="folders">
          <FolderPath form={form} isChecked={isChecked} onWrite={write} />
        </ManagedGroup>
        {further.length > 0 && <p className="dim">{t('setup:folder.further', { count: further.length })}</p>}
        {path !== '' && <FolderPreview path={path} form={form} isOpenAtOnce />}
      </div>
      <div className={css.card}>
        <ManagedGroup part="folders" isNoted={false}>
          <RadioChoice
            label={t('setup:folder.existing')}
            choices={EXISTING.filter((choice) => choice !== 'ask' || first?.existing === 'ask')}
            value={form.existing}
            labelOf={(value) => t(`settings:folders.existingChoices.${value}`)}
            hintOf={(value) => t(`setup:folder.existingHints.${value}`)}
            onChoose={(existing) => write({ existing })}
          />
          {form.existing === 'since' && <FirstDay form={form} isChecked={isChecked} onWrite={write} />}
        </ManagedGroup>
      </div>
    </StepFrame>
  )
}

/** The service is tested before it is saved, so that a wrong secret shows at once, and its centers can be chosen from. */
function ServiceStep({ settings, onShow }: StepProps) {
  const { service } = settings
  const editing = useServiceForm(service)
  const { tested, typed, isTesting } = editing
  const [centerId, setCenterId] = useState(settings.centerId)
  const hasCenters = tested?.centersListed.kind === 'passed'
  const choices = hasCenters ? centerChoices(tested.centers, settings.centerId) : []
  // A center of a service that was tested before is none of this one.
  const isOfService = choices.some(({ value }) => value === (centerId ?? NEVER))
  const saving = useSaving({ ...typed, ...(isOfService && { centerId }) }, { centerId: settings.centerId })
  const goOn = async (): Promise<void> => {
    if (tested === null && !editing.isBlank) await editing.test()
    else if (await saving.save()) onShow('ready')
  }
  return (
    <StepFrame
      title={t('setup:service.title')}
      explain={t('setup:service.explain')}
      isBusy={saving.isBusy || isTesting}
      onContinue={() => void goOn()}
    >
      <div className={css.card}>
        <ServiceFields editing={editing} isChecked={saving.isChecked} />
      </div>
      <ConnectionPanel editing={editing} />
      {hasCenters && (
        <div className={css.card}>
          <ManagedGroup part="centerId">
            <Radio.Group
              label={t('setup:center.title')}
              description={t('setup:center.explain')}
              value={centerId ?? NEVER}
              onChange={(chosen) => setCenterId(chosen === NEVER ? null : chosen)}
            >
              <div className={css.choices}>
                {choices.map((choice) => (
                  <Radio key={choice.value} {...choice} />
                ))}
              </div>
            </Radio.Group>
          </ManagedGroup>
        </div>
      )}
    </StepFrame>
  )
}

function ReadyStep({ settings }: StepProps) {
  const folders = useStation((state) => state.status?.folders)
  const failure = useStation(({ status }) => status?.service.failure ?? null)
  const { service, centerId } = settings
  const { nameOf } = useCenters()
  const saving = useSaving({ setup: 'done' }, { setup: settings.setup })
  const isComplete = service !== null && settings.folders.length > 0 && failure === null
  const healthOf = (path: string) => folders?.find((folder) => folder.path === path)?.health ?? 'starting'
  return (
    <StepFrame
      title={t(isComplete ? 'setup:ready.title' : 'setup:ready.notYetTitle')}
      explain={t(isComplete ? 'setup:ready.explain' : 'setup:ready.notYetExplain')}
      continueLabel={t('setup:ready.finish')}
      isBusy={saving.isBusy}
      onContinue={() => void saving.save().then((isSaved) => isSaved && goTo({ screen: 'queue' }))}
    >
      <dl className={`${css.card} ${css.facts}`}>
        <dt>{t('setup:folder.name')}</dt>
        <dd className="breakable">
          {settings.folders.length === 0 && <p className="amber">{t('setup:ready.noFolder')}</p>}
          {settings.folders.map(({ path }) => (
            <p key={path}>{joinTexts(path, t(`settings:folders.health.${healthOf(path)}`))}</p>
          ))}
        </dd>
        <dt>{t('setup:service.name')}</dt>
        <dd className="breakable">
          {service ? <p>{service.baseUrl}</p> : <p className="amber">{t('setup:ready.noService')}</p>}
          {failure && <p className="red">{failureTitle(failure.kind)}</p>}
        </dd>
        <dt>{t('shell:center.label')}</dt>
        <dd>{centerId === null ? centerText(null) : nameOf(centerId)}</dd>
      </dl>
    </StepFrame>
  )
}

const STEPS: Readonly<Record<SetupStep, ComponentType<StepProps>>> = {
  folder: FolderStep,
  service: ServiceStep,
  ready: ReadyStep,
}

type StepListProps = StepProps & { readonly at: SetupStep }

function StepList({ settings, at, onShow }: StepListProps) {
  const light = useStation((state) => state.status?.service.health)
  return (
    <nav aria-label={t('setup:steps')}>
      <ol role="list">
        {SETUP_STEPS.map((step, index) => {
          const mark = markOf(step, at, settings, light)
          return (
            <li key={step}>
              <UnstyledButton
                className={css.section}
                data-mark={mark}
                // To a step that is not set, only "Continue" leads on: it saves what was entered here.
                disabled={mark === 'open' && index > SETUP_STEPS.indexOf(at) && step !== firstStep(settings)}
                aria-label={`${t(`setup:${step}.name`)}, ${t(`setup:marks.${mark}`)}`}
                aria-current={step === at ? 'step' : undefined}
                onClick={() => onShow(step)}
              >
                <span className="grow">{t(`setup:${step}.name`)}</span>
                {mark === 'done' && <IconCheck size={17} aria-hidden />}
                {mark === 'trouble' && <IconAlertTriangle size={17} aria-hidden className="red" />}
              </UnstyledButton>
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

export function SetupScreen() {
  const settings = useStation((state) => state.settings)
  const [chosen, show] = useState<SetupStep | null>(null)
  if (!settings) return <Loader m={24} aria-label={t('setup:title')} />
  const at = chosen ?? firstStep(settings)
  // It stays, whatever is set elsewhere: what a person types in it is not saved yet.
  if (chosen === null) show(at)
  const Step = STEPS[at]
  return (
    <div className={css.screen}>
      <div className={css.sections}>
        <h1 className={css.title}>{t('setup:title')}</h1>
        <StepList settings={settings} at={at} onShow={show} />
      </div>
      <div className={css.content}>
        <Step settings={settings} onShow={show} />
      </div>
    </div>
  )
}
