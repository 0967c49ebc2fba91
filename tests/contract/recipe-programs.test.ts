/** The recipes that InvokeAI and ComfyUI write are read. */
import { describe, expect, test } from 'vitest';

import { readComfyGraph, readInvokeMetadata } from '#contract/images/recipe-text';

describe('a text of InvokeAI', () => {
  test.each([
    [
      'of version 4',
      {
        model: { key: 'k', hash: 'h', name: 'Juggernaut XL', base: 'sdxl', type: 'main' },
        loras: [{ model: { key: 'l', name: 'ink' }, weight: 0.75 }],
      },
    ],
    [
      'of version 3',
      {
        model: { model_name: 'Juggernaut XL', base_model: 'sdxl', model_type: 'main' },
        loras: [{ lora: { model_name: 'ink', base_model: 'sdxl' }, weight: 0.75 }],
      },
    ],
  ])('%s is read', (_what, models) => {
    const text = JSON.stringify({
      app_version: '4.2.0',
      generation_mode: 'sdxl_txt2img',
      positive_prompt: 'a fox',
      negative_prompt: 'blurry',
      seed: 123,
      steps: 30,
      cfg_scale: 5.5,
      scheduler: 'euler_a',
      width: 1024,
      height: 768,
      ...models,
    });

    expect(readInvokeMetadata(text)).toMatchObject({
      program: 'invokeai',
      prompt: 'a fox',
      negativePrompt: 'blurry',
      seed: '123',
      steps: 30,
      scale: 5.5,
      sampler: 'euler_a',
      width: 1024,
      height: 768,
      modelName: 'Juggernaut XL',
      loras: { ink: 0.75 },
    });
  });

  test.each(['', 'null', '[]', '{}', '{"positive_prompt":7}'])('is not seen in %j', (text) => {
    expect(readInvokeMetadata(text)).toBeUndefined();
  });
});

/** The default workflow of ComfyUI, with a LoRA. */
const comfyGraph = {
  '3': {
    class_type: 'KSampler',
    inputs: {
      seed: 156_680_208_700_286,
      steps: 20,
      cfg: 8,
      sampler_name: 'euler',
      scheduler: 'normal',
      denoise: 1,
      model: ['10', 0],
      positive: ['6', 0],
      negative: ['7', 0],
      latent_image: ['5', 0],
    },
    _meta: { title: 'KSampler' },
  },
  '4': { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'v1-5-pruned.safetensors' } },
  '5': { class_type: 'EmptyLatentImage', inputs: { width: 512, height: 640, batch_size: 1 } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a fox', clip: ['10', 1] } },
  '7': { class_type: 'CLIPTextEncode', inputs: { text: 'text, watermark', clip: ['10', 1] } },
  '8': { class_type: 'VAEDecode', inputs: { samples: ['3', 0], vae: ['4', 2] } },
  '9': { class_type: 'SaveImage', inputs: { filename_prefix: 'ComfyUI', images: ['8', 0] } },
  '10': {
    class_type: 'LoraLoader',
    inputs: {
      lora_name: 'ink.safetensors',
      strength_model: 0.8,
      strength_clip: 1,
      model: ['4', 0],
      clip: ['4', 1],
    },
  },
};

describe('a graph of ComfyUI', () => {
  test('is followed from its sampler', () => {
    expect(readComfyGraph(JSON.stringify(comfyGraph))).toMatchObject({
      program: 'comfyui',
      prompt: 'a fox',
      negativePrompt: 'text, watermark',
      seed: '156680208700286',
      steps: 20,
      scale: 8,
      sampler: 'euler',
      schedule: 'normal',
      width: 512,
      height: 640,
      modelName: 'v1-5-pruned',
      loras: { ink: 0.8 },
    });
  });

  test('that makes the picture larger afterwards is read from its first sampler', () => {
    const graph = {
      '1': {
        class_type: 'KSampler',
        inputs: {
          ...comfyGraph['3'].inputs,
          seed: 2,
          denoise: 0.4,
          latent_image: ['2', 0],
        },
      },
      '2': { class_type: 'LatentUpscaleBy', inputs: { samples: ['3', 0], scale_by: 2 } },
      ...comfyGraph,
    };

    expect(readComfyGraph(JSON.stringify(graph))?.seed).toBe('156680208700286');
  });

  test('of Flux is followed through its guider', () => {
    const graph = {
      '13': {
        class_type: 'SamplerCustomAdvanced',
        inputs: {
          noise: ['25', 0],
          guider: ['22', 0],
          sampler: ['16', 0],
          sigmas: ['17', 0],
          latent_image: ['27', 0],
        },
      },
      '25': { class_type: 'RandomNoise', inputs: { noise_seed: 7 } },
      '22': { class_type: 'BasicGuider', inputs: { model: ['12', 0], conditioning: ['26', 0] } },
      '26': { class_type: 'FluxGuidance', inputs: { guidance: 3.5, conditioning: ['6', 0] } },
      '6': { class_type: 'CLIPTextEncode', inputs: { text: ['40', 0], clip: ['11', 0] } },
      '40': { class_type: 'PrimitiveString', inputs: { value: 'a fox, in a text of its own' } },
      '16': { class_type: 'KSamplerSelect', inputs: { sampler_name: 'euler' } },
      '17': {
        class_type: 'BasicScheduler',
        inputs: { scheduler: 'simple', steps: 20, denoise: 1, model: ['12', 0] },
      },
      '27': { class_type: 'EmptySD3LatentImage', inputs: { width: 1024, height: 1024 } },
      '12': { class_type: 'UNETLoader', inputs: { unet_name: 'flux1-dev.safetensors' } },
    };

    expect(readComfyGraph(JSON.stringify(graph))).toMatchObject({
      prompt: 'a fox, in a text of its own',
      negativePrompt: '',
      seed: '7',
      steps: 20,
      sampler: 'euler',
      schedule: 'simple',
      modelName: 'flux1-dev',
      width: 1024,
    });
  });

  test('with a control net reads each side from its own output', () => {
    const graph = {
      ...comfyGraph,
      '3': {
        ...comfyGraph['3'],
        inputs: { ...comfyGraph['3'].inputs, positive: ['30', 0], negative: ['30', 1] },
      },
      '30': {
        class_type: 'ControlNetApplyAdvanced',
        inputs: { positive: ['6', 0], negative: ['7', 0], strength: 1 },
      },
    };

    expect(readComfyGraph(JSON.stringify(graph))).toMatchObject({
      prompt: 'a fox',
      negativePrompt: 'text, watermark',
    });
  });

  test('with what JSON does not know, and a seed that no number holds, is read', () => {
    const text = JSON.stringify(comfyGraph)
      .replace('"denoise":1', '"denoise": NaN, "list": [NaN, NaN]')
      .replace('156680208700286', '18446744073709551615');

    expect(readComfyGraph(text)).toMatchObject({ prompt: 'a fox', seed: '18446744073709551615' });
  });

  test('that goes in a circle ends', () => {
    const graph = {
      ...comfyGraph,
      '10': { ...comfyGraph['10'], inputs: { ...comfyGraph['10'].inputs, model: ['10', 0] } },
    };

    expect(readComfyGraph(JSON.stringify(graph))).toMatchObject({ loras: { ink: 0.8 } });
  });

  test.each(['', 'null', '[1]', '{"3":{}}', '{"3":{"class_type":"KSampler","inputs":{}}}'])(
    'is not seen in %j',
    (text) => {
      expect(readComfyGraph(text)).toBeUndefined();
    },
  );

  test('whose nodes share one long text takes no more memory than that text', () => {
    const encoders = Array.from({ length: 400 }, (_node, index) => [
      `e${index}`,
      {
        class_type: 'ConditioningCombine',
        inputs: { text: ['t', 0], conditioning: [`e${index + 1}`, 0] },
      },
    ]);
    const graph = {
      ...Object.fromEntries(encoders),
      t: { class_type: 'Text', inputs: { value: 'x'.repeat(3_000_000) } },
      s: {
        class_type: 'KSampler',
        inputs: { latent_image: ['l', 0], positive: ['e0', 0], seed: 4711 },
      },
    };

    expect(readComfyGraph(JSON.stringify(graph))).toMatchObject({ prompt: '', seed: '4711' });
  });

  test('of nothing but samplers is read at once', () => {
    const samplers = Array.from({ length: 3000 }, (_node, index) => {
      const next = [`n${index + 1}`, 0];
      return [
        `n${index}`,
        { class_type: 'KSampler', inputs: { latent_image: next, positive: next, seed: 4711 } },
      ];
    });
    const text = JSON.stringify(Object.fromEntries(samplers));
    const before = process.cpuUsage();

    expect(readComfyGraph(text)).toMatchObject({ seed: '4711' });
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });
});
