/** The viewer's toolbar and keys. */
import { UnstyledButton } from '@mantine/core'
import {
  IconArrowsHorizontal,
  IconContrastFilled,
  IconHistory,
  IconLayoutColumns,
  IconLink,
  IconMinus,
  IconPlus,
  IconRestore,
} from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { t } from '../i18n/i18n.ts'
import {
  type Adjustments,
  CHANNELS,
  hasOtherLevels,
  type Level,
  LEVEL_RANGES,
  withoutLevels,
} from './adjustments.tsx'
import css from './viewer-dialog.module.css'
import toolCss from './viewer-tools.module.css'
import levelsCss from './viewer-tools.module.css'
import type { Layout, Link, ViewAction } from './view.ts'

type ToolProps = {
  readonly label: string
  readonly shortcut?: string
  /** An explanation, if the label is a technical term. */
  readonly means?: string
  readonly isPressed?: boolean
  readonly isPossible?: boolean
  readonly onPress: () => void
  readonly children: ReactNode
}

/** A button that is dark in both themes, as the whole viewer is. */
export function Tool(props: ToolProps) {
  const { label, shortcut, means = label, isPressed, isPossible = true, onPress, children } = props
  return (
    <UnstyledButton
      className={toolCss.tool}
      title={shortcut === undefined ? means : t('viewer:keyed', { what: means, key: shortcut })}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-pressed={isPressed}
      // Disabling a focused button would lose the keyboard focus.
      aria-disabled={!isPossible}
      onClick={() => isPossible && onPress()}
    >
      {children}
    </UnstyledButton>
  )
}

type ToolGroupProps = { readonly label: string; readonly children: ReactNode }

export function ToolGroup({ label, children }: ToolGroupProps) {
  return (
    <div className={toolCss.group} role="group" aria-label={label}>
      {children}
    </div>
  )
}

const LEVELS: readonly Level[] = ['brightness', 'contrast', 'gamma']
const STEP = 0.05

type LevelsProps = {
  readonly adjustments: Adjustments
  readonly onAdjust: (adjustments: Adjustments) => void
}

function Levels({ adjustments, onAdjust }: LevelsProps) {
  return (
    <ToolGroup label={t('viewer:tools.levels')}>
      {LEVELS.map((level) => (
        <LevelSlider
          key={level}
          level={level}
          value={adjustments[level]}
          onChange={(value) => onAdjust({ ...adjustments, [level]: value })}
        />
      ))}
      <Tool
        label={t('viewer:tools.resetLevels')}
        shortcut="C"
        isPossible={hasOtherLevels(adjustments)}
        onPress={() => onAdjust(withoutLevels(adjustments))}
      >
        <IconRestore size={19} aria-hidden />
      </Tool>
    </ToolGroup>
  )
}

type LevelSliderProps = {
  readonly level: Level
  readonly value: number
  readonly onChange: (value: number) => void
}

function LevelSlider({ level, value, onChange }: LevelSliderProps) {
  const id = useId()
  return (
    <div className={levelsCss.level}>
      <label htmlFor={id}>{t(`viewer:tools.${level}`)}</label>
      <input
        id={id}
        type="range"
        className={levelsCss.slider}
        {...LEVEL_RANGES[level]}
        step={STEP}
        value={value}
        onChange={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </div>
  )
}

type ViewerToolsProps = {
  readonly adjustments: Adjustments
  readonly layout: Layout['kind']
  readonly link: Link
  readonly canCompare: boolean
  readonly onAdjust: (adjustments: Adjustments) => void
  readonly onAction: (action: ViewAction) => void
}

export function ViewerTools(props: ViewerToolsProps) {
  const { adjustments, layout, link, canCompare, onAdjust, onAction } = props
  const act = (kind: Exclude<ViewAction['kind'], 'pan' | 'step'>) => () => onAction({ kind })
  return (
    <div className={css.tools}>
      <ToolGroup label={t('viewer:tools.size')}>
        <Tool label={t('viewer:tools.fit')} shortcut="0" onPress={act('fit')}>
          {t('viewer:tools.fit')}
        </Tool>
        <Tool
          label={t('viewer:tools.pixels')}
          means={t('viewer:tools.pixelsMeans')}
          shortcut="1"
          onPress={act('pixels')}
        >
          {t('viewer:tools.pixels')}
        </Tool>
        <Tool label={t('viewer:tools.zoomOut')} shortcut="-" onPress={act('zoomOut')}>
          <IconMinus size={18} aria-hidden />
        </Tool>
        <Tool label={t('viewer:tools.zoomIn')} shortcut="+" onPress={act('zoomIn')}>
          <IconPlus size={18} aria-hidden />
        </Tool>
      </ToolGroup>
      <ToolGroup label={t('viewer:tools.colours')}>
        {CHANNELS.map((channel) => (
          <Tool
            key={channel}
            label={t(`viewer:channel.${channel}`)}
            {...(channel === 'green' ? { shortcut: 'G', means: t('viewer:channel.greenMeans') } : {})}
            isPressed={adjustments.channel === channel}
            onPress={() => onAdjust({ ...adjustments, channel })}
          >
            {t(`viewer:channel.${channel}`)}
          </Tool>
        ))}
        <Tool
          label={t('viewer:tools.invert')}
          shortcut="I"
          isPressed={adjustments.isInverted}
          onPress={act('invert')}
        >
          <IconContrastFilled size={19} aria-hidden />
        </Tool>
      </ToolGroup>
      <Levels adjustments={adjustments} onAdjust={onAdjust} />
      <ToolGroup label={t('viewer:tools.compare')}>
        <Tool
          label={t('viewer:tools.beside')}
          shortcut="S"
          isPressed={layout === 'beside'}
          isPossible={canCompare}
          onPress={act('beside')}
        >
          <IconLayoutColumns size={19} aria-hidden />
          <span className={css.wide}>{t('viewer:tools.beside')}</span>
        </Tool>
        <Tool
          label={t('viewer:tools.earlier')}
          shortcut="P"
          isPressed={layout === 'earlier'}
          onPress={act('earlier')}
        >
          <IconHistory size={19} aria-hidden />
          <span className={css.wide}>{t('viewer:tools.earlier')}</span>
        </Tool>
        {/* Always present, so that nothing moves when a second picture opens. */}
        <Tool
          label={t('viewer:tools.link')}
          means={t('viewer:tools.linkMeans')}
          shortcut="L"
          isPressed={layout !== 'one' && link !== 'off'}
          isPossible={layout !== 'one'}
          onPress={act('link')}
        >
          <IconLink size={19} aria-hidden />
        </Tool>
        <Tool
          label={t('viewer:tools.mirror')}
          means={t('viewer:tools.mirrorMeans')}
          shortcut="M"
          isPressed={layout !== 'one' && link === 'mirrored'}
          isPossible={layout !== 'one' && link !== 'off'}
          onPress={act('mirror')}
        >
          <IconArrowsHorizontal size={19} aria-hidden />
        </Tool>
      </ToolGroup>
    </div>
  )
}
