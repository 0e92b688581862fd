// Brings the colours of every video to BT.709, for which screens and JPEGs are made: HDR is tone-mapped, wide gamuts are
// converted, and what says nothing of itself stays as it is.
import {
  AVCOL_PRI_BT2020,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_BT709,
  AVCOL_TRC_SMPTE2084,
  AVCOL_TRC_UNSPECIFIED,
} from 'node-av/constants'
import type { Frame } from 'node-av/lib'

const highRange: readonly number[] = [AVCOL_TRC_SMPTE2084, AVCOL_TRC_ARIB_STD_B67]

/** What the container says of the colours, as mediabunny names it, where the pictures themselves say nothing. */
export function fillColours(frame: Frame, container: { transfer?: string | null; primaries?: string | null }): void {
  if (frame.colorTrc === AVCOL_TRC_UNSPECIFIED) {
    if (container.transfer === 'pq') frame.colorTrc = AVCOL_TRC_SMPTE2084
    if (container.transfer === 'hlg') frame.colorTrc = AVCOL_TRC_ARIB_STD_B67
  }
  if (frame.colorPrimaries === AVCOL_PRI_UNSPECIFIED && container.primaries === 'bt2020') {
    frame.colorPrimaries = AVCOL_PRI_BT2020
  }
  // HDR is of BT.2020, whether that is said or not: ITU-R BT.2100 knows no other.
  if (highRange.includes(frame.colorTrc) && frame.colorPrimaries === AVCOL_PRI_UNSPECIFIED) {
    frame.colorPrimaries = AVCOL_PRI_BT2020
  }
  if (frame.colorPrimaries === AVCOL_PRI_BT2020 && frame.colorSpace === AVCOL_SPC_UNSPECIFIED) {
    frame.colorSpace = AVCOL_SPC_BT2020_NCL
  }
  // Its first editions have the curve of BT.709.
  if (frame.colorPrimaries === AVCOL_PRI_BT2020 && frame.colorTrc === AVCOL_TRC_UNSPECIFIED) {
    frame.colorTrc = AVCOL_TRC_BT709
  }
}

/**
 * The filters that bring such frames to BT.709; none if they are of it, or nothing else is known. Of the curves that tone
 * mapping knows mobius leaves dark and middle tones as they were, and never turns a brighter tone into a darker one.
 */
export function toStandardColours({ colorTrc, colorPrimaries }: Frame): string {
  const standard = 'p=bt709:t=bt709:m=bt709:r=tv'
  if (highRange.includes(colorTrc)) {
    return `format=yuv420p10le,tonemapx=tonemap=mobius:desat=0:${standard}:format=yuv420p`
  }
  return colorPrimaries === AVCOL_PRI_BT2020 ? `zscale=${standard}` : ''
}
