import {
  IconArrowsHorizontal,
  IconContrastFilled,
  IconHistory,
  IconLayoutColumns,
  IconLink,
  IconMinus,
  IconPlus,
} from '@tabler/icons-react'
import { t } from '../words/t.ts'
import { CHANNELS, type Adjustments } from './adjustments.ts'
import type { Link } from './linked-view.ts'
import { Levels } from './levels.tsx'
import type { Layout } from './panes.ts'
import { Tool, ToolGroup } from './tool.tsx'
import type { ViewAction } from './viewer-keys.ts'
import css from './viewer-dialog.module.css'

export type ViewerToolsProps = {
  readonly adjustments: Adjustments
  readonly layout: Layout['kind']
  readonly link: Link
  readonly canCompare: boolean
  readonly onAdjust: (adjustments: Adjustments) => void
  readonly onAction: (action: ViewAction) => void
}

/** What is done to the view: its size, its colours, and what stands beside it. */
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
        {/* Always there, so that nothing moves when two pictures come to stand side by side. */}
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
