/** Options of a gRPC client whose connections no other client shares, though it asks for the same address. */
export const ownConnections = { "grpc.use_local_subchannel_pool": 1 };
