/** The viewer's toolbar and keys. */
import { Group, UnstyledButton } from '@mantine/core'
import {
  type Icon,
  IconArrowsHorizontal,
  IconHistory,
  IconLayoutColumns,
  IconLink,
  IconMinus,
  IconPlus,
  IconRestore,
} from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { t } from '../i18n/i18n.ts'
import { hasOtherLevels, type Level, levelOf, LEVELS, powerOf } from './adjustments.tsx'
import css from './viewer.module.css'
import type { ViewAction, ViewerView } from './view.ts'

type ToolProps = {
  readonly label: string
  readonly shortcut?: string
  /** An explanation, if the label is a technical term. */
  readonly means?: string
  readonly isPressed?: boolean
  readonly isPossible?: boolean
  /** Shown instead of the label. */
  readonly icon?: Icon
  /** Is the label shown beside the icon, if there is space? */
  readonly isNamed?: boolean
  readonly onPress: () => void
  /** Shown instead of the label. */
  readonly children?: ReactNode
}

/** A button that is dark in both themes, as the whole viewer is. */
export function Tool(props: ToolProps) {
  const { label, shortcut, means = label, isPressed, isPossible = true, onPress } = props
  const { icon: Sign, isNamed = false, children = label } = props
  return (
    <UnstyledButton
      className={css.tool}
      title={shortcut === undefined ? means : t('viewer:keyed', { what: means, key: shortcut })}
      aria-label={label}
      aria-keyshortcuts={shortcut}
      aria-pressed={isPressed}
      // Disabling a focused button would lose the keyboard focus.
      aria-disabled={!isPossible}
      onClick={() => isPossible && onPress()}
    >
      {Sign ? <Sign size={19} aria-hidden /> : children}
      {isNamed && <span className={css.wide}>{label}</span>}
    </UnstyledButton>
  )
}

export function ToolGroup({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Group gap={4} wrap="nowrap" role="group" aria-label={label}>
      {children}
    </Group>
  )
}

const STEP = 0.05

function LevelSlider({ level, view }: { readonly level: Level; readonly view: ViewerView }) {
  const id = useId()
  const { adjustments, adjust } = view
  return (
    <div className={css.level}>
      <label htmlFor={id}>{t(`viewer:tools.${level}`)}</label>
      <input
        id={id}
        type="range"
        className={css.slider}
        min={-1}
        max={1}
        step={STEP}
        value={powerOf(adjustments[level])}
        onChange={(event) => adjust({ ...adjustments, [level]: levelOf(event.currentTarget.valueAsNumber) })}
      />
    </div>
  )
}

type NamedAction = Exclude<ViewAction['kind'], 'pan' | 'step' | 'fullScreen'>

type ViewerToolsProps = { readonly view: ViewerView; readonly canCompare: boolean }

export function ViewerTools({ view, canCompare }: ViewerToolsProps) {
  const { adjustments, layout, link } = view
  const isPair = layout.kind !== 'one'
  const tool = (kind: NamedAction, shortcut: string, more: Partial<ToolProps> = {}) => (
    <Tool
      label={t(`viewer:tools.${kind}`)}
      shortcut={shortcut}
      onPress={() => view.run({ kind })}
      {...more}
    />
  )
  return (
    <div className={css.tools}>
      <ToolGroup label={t('viewer:tools.size')}>
        {tool('fit', '0')}
        {tool('pixels', '1', { means: t('viewer:tools.pixelsMeans') })}
        {tool('zoomOut', '-', { icon: IconMinus })}
        {tool('zoomIn', '+', { icon: IconPlus })}
      </ToolGroup>
      <ToolGroup label={t('viewer:tools.colours')}>
        {tool('redFree', 'G', { means: t('viewer:tools.redFreeMeans'), isPressed: adjustments.isRedFree })}
        {tool('invert', 'I', { isPressed: adjustments.isInverted })}
      </ToolGroup>
      <ToolGroup label={t('viewer:tools.levels')}>
        {LEVELS.map((level) => (
          <LevelSlider key={level} level={level} view={view} />
        ))}
        {tool('resetLevels', 'C', {
          icon: IconRestore,
          isPossible: hasOtherLevels(adjustments),
          isNamed: true,
        })}
      </ToolGroup>
      <ToolGroup label={t('viewer:tools.compare')}>
        {tool('beside', 'S', {
          icon: IconLayoutColumns,
          isPressed: layout.kind === 'beside',
          isPossible: canCompare,
          isNamed: true,
        })}
        {tool('earlier', 'V', { icon: IconHistory, isPressed: layout.kind === 'earlier', isNamed: true })}
        {/* Always present, so that nothing moves when a second picture opens. */}
        {tool('link', 'K', {
          icon: IconLink,
          means: t('viewer:tools.linkMeans'),
          isPressed: isPair && link !== 'off',
          isPossible: isPair,
          isNamed: true,
        })}
        {tool('mirror', 'M', {
          icon: IconArrowsHorizontal,
          means: t('viewer:tools.mirrorMeans'),
          isPressed: isPair && link === 'mirrored',
          isPossible: isPair && link !== 'off',
          isNamed: true,
        })}
      </ToolGroup>
    </div>
  )
}
