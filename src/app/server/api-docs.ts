import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';

export async function registerApiDocs(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    hideUntagged: true,
    openapi: {
      openapi: '3.1.0',
      info: {
        title: '豆库 API',
        version: '1',
        description:
          '成功总是 200；失败为 `{code, message, error}`，其中 error 与 message 相同。数组参数重复同名键，删除的编号放在查询里，时间为 UTC 的 RFC 3339。',
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
  });
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    uiConfig: { docExpansion: 'list', persistAuthorization: false },
    theme: { title: '豆库 API' },
  });
}
